import { Check } from 'lucide-react'
import { useEffect, useState } from 'react'
import { messageOf } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { useSharing } from './sharing.ts'

/** A quick save is not worth a word before it is done. */
const SAVING_MS = 400

/** The one place that says whether the changes are saved. */
export function SaveStatus() {
  const { state, saver } = useSharing()
  const { status } = state
  const isSlow = useSlow(status.name === 'saving')
  return (
    <div className="ml-auto flex min-w-0 items-center gap-2 text-13">
      <p role="status" className="flex items-center gap-1 text-muted">
        {status.name === 'saved' && (
          <>
            <Check size={14} aria-hidden />
            Saved
          </>
        )}
        {isSlow && 'Saving…'}
        {status.name === 'stopped' && (
          <span className="text-danger">
            Not saved<span className="sr-only">. {messageOf(status.error)}</span>
          </span>
        )}
      </p>
      {status.name === 'stopped' && <Button onClick={() => saver.resume()}>Try again</Button>}
    </div>
  )
}

function useSlow(isSaving: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isSaving) return setSlow(false)
    const timer = setTimeout(() => setSlow(true), SAVING_MS)
    return () => clearTimeout(timer)
  }, [isSaving])
  return isSlow && isSaving
}
