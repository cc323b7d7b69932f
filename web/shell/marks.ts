/** The messages of a document and the panel about places that have or may get comments. */
import type { AnchorElement, Passage } from '../../src/model/passage.ts'

/** How many passages and spots a document is asked to mark. */
export const MAX_MARKS = 1000
export const MAX_SPOTS = 200

/** A part of the frame's window, in CSS pixels. */
export interface Box {
  top: number
  left: number
  bottom: number
  right: number
}

/** A selected passage, and where it is. */
export interface SelectedPassage extends Passage, Box {}

/** A spot on an element of the document; `x` and `y` go from 0 to 1, from the top left. */
export interface ElementSpot {
  x: number
  y: number
  element: AnchorElement
}

/** An element that the visitor may comment on, and where it is. */
export interface Candidate extends Box {
  tag: string
  text: string
}

/** The element that the visitor has chosen, and its words; null where it has none or too many. */
export interface PickedElement extends ElementSpot {
  passage: Passage | null
}

export const PICK_STEPS = ['next', 'previous', 'outer', 'inner'] as const
export type PickStep = (typeof PICK_STEPS)[number]

/** A spot that was clicked, and where its image is. */
export interface PickedSpot extends ElementSpot, Box {}

/** A passage that has comments. */
export interface Mark extends Passage {
  id: string
}

/** A spot that has comments. */
export interface SpotMark extends ElementSpot {
  id: string
}

/** Where a spot is in the frame's window; not visible where something covers it. */
export interface PlacedSpot {
  id: string
  left: number
  top: number
  is_visible: boolean
}
