/** What a mail says. The mail feature composes its text and its HTML from this. */
export interface MailContent {
  to: string
  subject: string
  /** The subject is the heading unless this is given. */
  heading?: string | undefined
  paragraphs: string[]
  button?: { label: string; url: string } | undefined
  /** Six digits to type where they are asked for. */
  code?: string | undefined
  /** Why the recipient gets this mail. */
  reason: string
  unsubscribeUrl?: string | undefined
}
