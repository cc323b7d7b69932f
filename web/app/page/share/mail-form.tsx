import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Problem, TextArea } from '../../ui/field.tsx'

const MESSAGE_LENGTH = 2000

interface MailFormProps {
  message: string
  onMessage(message: string): void
  verb: string
  /** The action that sends. */
  sending: { mutate(): void; error: unknown; isPending: boolean }
  onCancel(): void
  children?: ReactNode
}

export function MailForm({ message, onMessage, verb, sending, ...props }: MailFormProps) {
  return (
    <div className="grid gap-3">
      <TextArea
        label="Message"
        help="Optional. It stands in the mail above the link."
        rows={2}
        maxLength={MESSAGE_LENGTH}
        dir="auto"
        value={message}
        onText={onMessage}
      />
      {props.children}
      <Problem error={sending.error} />
      <div className="flex flex-wrap gap-2">
        <Button look="primary" disabled={sending.isPending} onClick={() => sending.mutate()}>
          {verb}
        </Button>
        <Button look="quiet" onClick={props.onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

interface MailReportProps {
  text: string
  /** What was not done with those who may not open the page, and who they are. */
  verb: string
  notAdmitted: readonly string[]
  onDone(): void
  children?: ReactNode
}

export function MailReport({ text, verb, notAdmitted, onDone, children }: MailReportProps) {
  return (
    <div className="grid justify-items-start gap-2 text-13 break-words">
      <p role="status">{text}</p>
      {children}
      {notAdmitted.length > 0 && (
        <p className="text-danger">
          {verb}, since they may not open the page: {notAdmitted.join(', ')}.
        </p>
      )}
      <Button onClick={onDone}>Done</Button>
    </div>
  )
}
