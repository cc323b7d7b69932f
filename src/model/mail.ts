import type { Brand } from './brand.ts'

/** The content of a mail, from which the mail feature makes its text and its HTML. */
export interface MailContent {
  to: string
  subject: string
  /** Default: the subject. */
  heading?: string | undefined
  /** Sentences of the service, and what others wrote. */
  paragraphs: (string | Quotation)[]
  button?: MailLink | undefined
  /** What one does in the place of what the button does, or later. */
  otherLinks?: MailLink[]
  /** A confirmed address, to which an answer by mail goes. By default it goes to this server. */
  replyTo?: string | undefined
  /** Six digits that the recipient types into a form. */
  code?: string | undefined
  /** Why the recipient gets this mail, shown at its end. */
  reason: string
  unsubscribeUrl?: string | undefined
  /** Of the owner of the page that it is about. The server's where nobody may know the owner. */
  brand?: Pick<Brand, 'name' | 'accent'> | undefined
}

export interface MailLink {
  label: string
  url: string
}

/** Words of somebody else. They stand apart from those of the service, in every line. */
export interface Quotation {
  quote: string
}

/** How a mail is stored until it is sent. */
export interface MailOptions {
  /**
   * A mail replaces an unsent one with the same key, and is sent at that one's time. A key begins
   * with the id of the account that the mail is about.
   */
  dedupe_key?: string
  /** A timestamp. */
  not_before?: string
  /**
   * Stores the mail without its text, as if it were sent already, so that nobody gets it. The
   * transaction does the same work as for a real one, and takes as long.
   */
  discard?: boolean
  /** Erases the address as well once the mail is sent: getting it tells what somebody did. */
  forgets_recipient?: boolean
  /**
   * The link that it sends to a page, named or a confirmation, which is told where the mail is
   * refused; or the comment that it is about. It is sent while its recipient would find that there.
   */
  link_id?: string
}
