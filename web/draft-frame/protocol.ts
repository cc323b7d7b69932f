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
  /** What was shown, and what was typed in its place. */
  change?: { place: Place; before: string; after: string }
  /** Whether something is being typed. */
  isOpen?: boolean
  /** The text of something that was pressed and has no place in the source. */
  stray?: string
  /** An image that was pressed, or the file that was dropped on it. */
  image?: { place: Place; file: File | null }
  key?: 'undo' | 'redo' | 'save'
}

/** What the editor answers. */
export interface Answer {
  /** To `ask`: whether the text may be changed here. */
  open?: boolean
  /** An image to show until the page is loaded again. */
  show?: { place: Place; file: File }
}
