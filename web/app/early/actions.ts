export type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** The user's actions before the script was loaded, in the window’s `earlyActions`. */
export interface EarlyActions {
  /** The fields that were changed, each with its text, or whether it is checked. */
  fields: Map<Field, string | boolean>
  pressed: HTMLButtonElement[]
  /** A key of the frame. What is typed after it is for what it opens. */
  key: KeyboardEvent | null
  stop(): void
}

declare global {
  interface Window {
    earlyActions?: EarlyActions
  }
}
