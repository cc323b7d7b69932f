/** What the editor and the frame that shows its draft say to each other. */

/** The attribute that gives an element of the preview the number of its start tag in the source. */
export const MARK = 'data-draft-place'
/** `<body>` has this number, also where the source does not write its tag. */
export const BODY = 0

/** The place of a text or an image in the source. */
export interface Place {
  number: number
  /** Which of the elements with that number. */
  nth: number
  /** How many there are: a script may have copied some. */
  of: number
  /** How many children that are no text the element has before the text. */
  run: number
}

/** What the frame tells the editor. Scripts of the page might send it as well. */
export interface Report {
  /** Asks whether the text of a place is the one of the source. */
  ask?: { place: Place; text: string }
  /**
   * What was shown when the field was opened, and what it says by now: told at each pause, and with
   * `isOpen: false` for the last time.
   */
  change?: { place: Place; before: string; after: string }
  isOpen?: boolean
  /** Something that was pressed and has no place in the source, with the text that it shows. */
  stray?: { what: Stray; text: string }
  /** An image that was pressed, with the file that was dropped on it. */
  image?: { place: Place; src: string; file: File | null }
  key?: 'undo' | 'redo' | 'save'
}

export const STRAYS = ['text', 'image', 'background', 'drop', 'other'] as const
type Stray = (typeof STRAYS)[number]

/** So much of the address of an image is told. */
export const MAX_SRC_CHARS = 2000

export interface Answer {
  /** To `ask`: whether the text may be changed here. */
  open?: boolean
}
