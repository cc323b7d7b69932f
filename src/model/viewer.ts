/** Somebody whom the access rule of a page admits at this moment. */
export interface Viewer {
  /** Identifies the viewer on this page. The same person has another key on another page. */
  key: string
  /** The confirmed address that the page admits; null where the page asks for none. */
  email: string | null
  /** The confirmed address, or an alias for the browser. */
  displayName: string
}

/** The bytes that the viewer has open, as their source token proves. */
export interface PageSource {
  /** When the open version was published; null for a draft. */
  pageVersion: string | null
  /** The file of a deck; '' on other pages. */
  path: string
}
