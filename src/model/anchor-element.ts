/** An element of the page, besides the words or the spot in it. Browser-safe. */
export interface AnchorElement {
  tag: string
  text: string
  selector: string
}

export const MAX_ELEMENT_TEXT_CHARS = 200
export const MAX_SELECTOR_CHARS = 500
