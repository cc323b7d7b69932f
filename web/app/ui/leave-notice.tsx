import { type ReactNode, useRef, useState } from 'react'
import { useUnsentGuard } from '../unsent.ts'
import { Button } from './button.tsx'

interface LeaveNoticeProps {
  text: string
  /** On the button that leaves. */
  action: string
  onStay(): void
  onLeave(): void
}

/** Says what leaving would lose, at the end of a dialog. */
export function LeaveNotice({ text, action, onStay, onLeave }: LeaveNoticeProps) {
  return (
    <>
      <p role="status" className="mr-auto self-center">
        {text}
      </p>
      <div className="flex shrink-0 gap-2">
        <Button look="quiet" onClick={onLeave}>
          {action}
        </Button>
        <Button onClick={onStay}>Stay</Button>
      </div>
    </>
  )
}

interface UnsentForm {
  /** The name of the field with unsent text; null where there is none. */
  unsent: string | null
  onClose(): void
}

/**
 * Leaving a dialog whose button sends what is typed. @returns `close`, which asks first where
 * something is not sent, and the question, which stands in the place of the dialog's buttons
 */
export function useUnsentForm({ unsent, onClose }: UnsentForm): {
  close(): void
  question: ReactNode
} {
  const [leave, setLeave] = useState<(() => void) | null>(null)
  const isGivenUp = useRef(false)
  const isLost = () => unsent !== null && !isGivenUp.current

  function ask(go: () => void): void {
    if (isLost()) setLeave(() => go)
    else go()
  }
  useUnsentGuard({ isLostOnUnload: isLost, isLostOnNavigation: isLost, ask })
  return {
    close: () => ask(onClose),
    question: leave !== null && unsent !== null && (
      <LeaveNotice
        text={`Not sent: ${unsent}.`}
        action="Leave without sending"
        onStay={() => setLeave(null)}
        onLeave={() => {
          isGivenUp.current = true
          leave()
        }}
      />
    ),
  }
}
