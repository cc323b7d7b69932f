import type { Confirmation } from '../../model/confirmation.ts'
import type { Tx } from '../../platform/db/index.ts'

/** The page with the button that runs the action of a link. */
export interface ConfirmationDescription {
  title: string
  /** One or two sentences: what will happen, to which address, in which browser. */
  text: string
  /** What a person wrote, shown apart from our own words. */
  quote?: string
  button: string
  /** The quiet line below; by default for somebody who did not ask for the link. */
  help?: string
}

/** A page that says what was done, for actions without a page of their own. */
export interface ConfirmationDone {
  title: string
  text: string
  /** The link to continue. `path` is on this host. */
  link: { label: string; path: string }
}

export interface ConfirmationOutcome {
  /** The path on this host to redirect to, or the page to show. */
  next: string | ConfirmationDone
  cookies: string[]
  /** False where the link does not prove that the address is the visitor's. */
  isProved?: boolean
}

/** A page that a personal link leads to, instead of to its button. */
export type Elsewhere = { path: string } | { signInAs: string; next: string }

/** What happens when a one-time link or code of one purpose is redeemed. */
export interface ConfirmationAction {
  /** Describes the action before the button is pressed. Changes nothing. */
  describe(confirmation: Confirmation): ConfirmationDescription | Promise<ConfirmationDescription>
  /**
   * Runs in the transaction that redeems the link or the code: if it fails, both can be tried
   * again. A Refusal is shown to the visitor.
   */
  act(tx: Tx, confirmation: Confirmation, request: Request): Promise<ConfirmationOutcome>
  /**
   * The page for the second press of a double click, instead of an error. Changes nothing: the
   * first press has run the action.
   */
  describeDone?(confirmation: Confirmation): Promise<ConfirmationDone>
  /** Of personal links, which lead on from wherever they are opened, as often as one does. */
  personal?: {
    /** Where the browser goes instead of to the button; null where it has to be pressed. */
    elsewhere(link: OpenedLink): Promise<Elsewhere | null>
    /** Mails a new link. The answer is the same for everybody. @returns whether it was allowed */
    renew(confirmation: Confirmation, request: Request): Promise<boolean>
  }
}

export interface OpenedLink {
  confirmation: Confirmation
  request: Request
  /** Whether it was used, or has expired. */
  isOver: boolean
}

/** Confirmation actions by the `purpose` that the confirmation was started with. */
export type ConfirmationActions = Record<string, ConfirmationAction>

export const EMAIL_NEEDED = 'Give an email address, such as ann@example.com.'
export const WRONG_CODE =
  'This code is wrong, used or too old. The newest mail has the one that works.'
export const CODES_OFF =
  'Too many wrong codes came in, so codes are off for now. The link of the mail still works.'
