import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import type { Sharing } from './sharing.ts'

/**
 * Leaving the dialog: at once where everything is saved, else when it is. Where something cannot be
 * saved, it says what, and leaves only if asked again.
 */
export function useLeaving({ state, saver, drafts }: Sharing, onClose: () => void) {
  const [isLeaving, setLeaving] = useState(false)
  const [stuck, setStuck] = useState<string[]>([])
  const leave = useRef(onClose)
  useEffect(() => {
    leave.current = onClose
  })

  function tryToLeave(): void {
    const fields = drafts.commitAll()
    setStuck(fields)
    const isSaved = saver.state().pending.length === 0
    if (fields.length === 0 && isSaved) onClose()
    else setLeaving(true)
  }
  useEffect(() => {
    if (!isLeaving || state.pending.length > 0) return
    const fields = drafts.commitAll()
    setStuck(fields)
    if (fields.length === 0) leave.current()
  }, [isLeaving, state.pending, drafts])

  return {
    tryToLeave,
    /** What the dialog says at its end while it waits. */
    notice: isLeaving && (
      <Notice
        text={textOf(state, stuck)}
        onStay={() => setLeaving(false)}
        onLeave={() => {
          saver.discard()
          onClose()
        }}
      />
    ),
  }
}

function textOf({ status, pending }: Sharing['state'], stuck: string[]): string {
  if (status.name === 'stopped') return `Not saved: ${messageOf(status.error)}`
  if (stuck.length > 0 && pending.length === 0) return `Not saved: ${stuck.join(', ')}.`
  return 'Saving your last change…'
}

function Notice({ text, onStay, onLeave }: { text: string; onStay(): void; onLeave(): void }) {
  return (
    <>
      <p role="status" className="mr-auto self-center">
        {text}
      </p>
      <div className="flex shrink-0 gap-2">
        <Button look="quiet" onClick={onLeave}>
          Leave without saving
        </Button>
        <Button onClick={onStay}>Stay</Button>
      </div>
    </>
  )
}
