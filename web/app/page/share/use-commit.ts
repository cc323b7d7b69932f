import { type RefObject, useEffect, useRef } from 'react'
import { useSharing } from './sharing.ts'

/** Saves what is typed where it can be saved. @returns whether it is stuck */
type Commit = (isComplete?: boolean) => boolean

/**
 * Registers a field with the dialog, which commits it before it closes. The field itself commits
 * when it goes. @returns the latest commit, for timers
 */
export function useCommit(label: string, commit: Commit): RefObject<Commit> {
  const { drafts } = useSharing()
  const latest = useRef(commit)
  useEffect(() => {
    latest.current = commit
  })
  useEffect(() => {
    const remove = drafts.add({ label, commit: () => latest.current() })
    return () => {
      remove()
      latest.current()
    }
  }, [drafts, label])
  return latest
}
