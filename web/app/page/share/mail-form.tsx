import type { ReactNode } from 'react'
import { messageOf } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/field.tsx'

const MESSAGE_LENGTH = 2000

interface MailFormProps {
  message: string
  onMessage(message: string): void
  /** On the button that sends. */
  verb: string
  error: unknown
  isSending: boolean
  onSend(): void
  onCancel(): void
  /** Further fields. */
  children?: ReactNode
}

/** A message above the link of a mail, and the button that sends it. */
export function MailForm(props: MailFormProps) {
  const { message, onMessage, verb, error, isSending, onSend, onCancel, children } = props
  return (
    <div className="grid gap-3">
      <TextArea
        label="Message"
        help="Optional. It stands in the mail above the link."
        rows={2}
        maxLength={MESSAGE_LENGTH}
        dir="auto"
        value={message}
        onChange={({ target }) => onMessage(target.value)}
      />
      {children}
      {error !== null && (
        <p role="alert" className="text-13 text-danger">
          {messageOf(error)}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" disabled={isSending} onClick={() => onSend()}>
          {verb}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

interface MailReportProps {
  /** Who was mailed. */
  text: string
  /** Who was not, and why. */
  problem: string | null
  onDone(): void
  children?: ReactNode
}

/** What became of the mails. */
export function MailReport({ text, problem, onDone, children }: MailReportProps) {
  return (
    <div className="grid justify-items-start gap-2 text-13 break-words">
      <p role="status">{text}</p>
      {children}
      {problem && <p className="text-danger">{problem}</p>}
      <Button onClick={onDone}>Done</Button>
    </div>
  )
}
