import { useEffect, useRef } from 'react'
import { useSharing } from './sharing.ts'

/** Keeps the dialog from closing over what is typed and only a button sends. */
export function useUnsent(label: string, isUnsent: boolean): void {
  const { drafts } = useSharing()
  const latest = useRef(isUnsent)
  useEffect(() => {
    latest.current = isUnsent
  })
  useEffect(() => drafts.add({ label, commit: () => latest.current }), [drafts, label])
}
