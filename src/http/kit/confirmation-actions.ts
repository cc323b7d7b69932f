import type { Confirmation } from '../../model/confirmation.ts'

/** The page that asks for the press of a button before a link acts. */
export interface ConfirmationDescription {
  title: string
  /** One or two sentences: what will happen, to which address, in which browser. */
  text: string
  button: string
}

export interface ConfirmationOutcome {
  /** The path on this host to redirect to. */
  location: string
  /** `Set-Cookie` lines. */
  cookies: string[]
}

/** What happens when a one-time link or code of one purpose is redeemed. */
export interface ConfirmationAction {
  /** Describes the action before the button is pressed. Changes nothing. */
  describe(confirmation: Confirmation): ConfirmationDescription | Promise<ConfirmationDescription>
  /**
   * Runs after the link or the code was redeemed; it stays redeemed if this fails. A Refusal is
   * shown to the visitor.
   */
  act(confirmation: Confirmation, request: Request): Promise<ConfirmationOutcome>
}

/** Confirmation actions by the `purpose` that the confirmation was started with. */
export type ConfirmationActions = Record<string, ConfirmationAction>
