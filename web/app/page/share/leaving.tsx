import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../api.ts'
import { LeaveNotice } from '../../ui/leave-notice.tsx'
import { useUnsentGuard } from '../../unsent.ts'
import type { Sharing } from './sharing.ts'

/**
 * Leaving the dialog: at once where everything is saved, else when it is. Where something cannot be
 * saved, it says what, and leaves only if asked again.
 */
export function useLeaving({ state, saver, drafts }: Sharing, onClose: () => void) {
  const [isLeaving, setLeaving] = useState(false)
  const [stuck, setStuck] = useState<string[]>([])
  const leave = useRef(onClose)
  const isGivenUp = useRef(false)

  function tryToLeave(go: () => void): void {
    leave.current = go
    const fields = drafts.commitAll()
    setStuck(fields)
    const isSaved = saver.state().pending.length === 0
    if (fields.length === 0 && isSaved) go()
    else setLeaving(true)
  }
  useEffect(() => {
    if (!isLeaving || isGivenUp.current || state.pending.length > 0) return
    const fields = drafts.commitAll()
    setStuck(fields)
    if (fields.length === 0) leave.current()
  }, [isLeaving, state.pending, drafts])

  function isLost(): boolean {
    return !isGivenUp.current && drafts.commitAll().length > 0
  }
  useUnsentGuard({
    isLostOnUnload: () => isLost() || saver.state().pending.length > 0,
    // What can be saved is saved after the dialog has gone, too.
    isLostOnNavigation: () => isLost() || saver.state().status.name === 'stopped',
    ask: tryToLeave,
  })

  return {
    tryToLeave: () => tryToLeave(onClose),
    /** What the dialog says at its end while it waits. */
    notice: isLeaving && (
      <LeaveNotice
        text={textOf(state, stuck)}
        action="Leave without saving"
        onStay={() => setLeaving(false)}
        onLeave={() => {
          isGivenUp.current = true
          saver.discard()
          leave.current()
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
