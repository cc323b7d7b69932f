/** A mail in words. How it looks, and how it is sent, is the mail room's affair. */
export interface MailWords {
  to: string
  subject: string
  heading?: string | undefined
  paragraphs: string[]
  button?: { label: string; url: string } | undefined
  /** Six digits to type where it was asked for. */
  code?: string | undefined
  /** Why they got it. */
  why: string
  unsubscribeUrl?: string | undefined
}
