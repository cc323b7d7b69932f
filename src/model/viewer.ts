/** Somebody whom the access rule of a page admits at this moment. */
export interface Viewer {
  /** Identifies the viewer on this page. The same person has another key on another page. */
  key: string
  /** The confirmed address that the page admits; null where the page asks for none. */
  email: string | null
  /** The confirmed address, or an alias for the browser. */
  displayName: string
  /** The named link that they came by. Only the owner is told. */
  linkId?: string | null
}

/**
 * Somebody who takes part in the conversations of a page: comments, poll, approvals. The access
 * rule admits them at this moment.
 */
export interface Participant {
  /**
   * `owner`: signed in to the account that owns the page. `confirmed`: this browser has proved an
   * address, to a gate, in the panel or by signing in. `anonymous`: known by the browser alone.
   */
  kind: 'owner' | 'confirmed' | 'anonymous'
  /** The address that names the participant; null for `anonymous`. No answer to others has it. */
  email: string | null
  /** Every address that this browser has proved and that counts on this page; `email` is first. */
  emails: readonly string[]
  /** Identifies the person on this page: by `email`, or else by the browser. */
  key: string
  /** Identifies the browser on this page, also once an address is confirmed. */
  deviceKey: string
  /** A name to show to others that does not reveal the address, such as `Amber Heron`. */
  alias: string
  /** The named link that they came by. Only the owner is told. */
  linkId?: string | null
}

/** The bytes that the viewer has open, as their source token proves. */
export interface PageSource {
  /** When the open version was published; null for a draft. */
  pageVersion: string | null
  /** The content of the open version; null in tokens from before this was written into them. */
  manifestId: string | null
  /** The file of a deck; '' on other pages. */
  path: string
}
