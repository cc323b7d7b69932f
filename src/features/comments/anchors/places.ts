import { type Anchor, type AnchorState, isTextAnchor } from '../../../model/anchor.ts'
import type { ByteRange } from '../../content/index.ts'

/** The byte offsets of an anchor's words in a file, and the text around them. */
export interface KnownPlace extends ByteRange {
  hash: string
  prefix: string
  suffix: string
}

/** Where an anchor was found: in the file that its author had open, and the last time. */
export interface AnchorPlaces {
  written: ByteRange | null
  last: KnownPlace | null
}

export const NO_PLACES: AnchorPlaces = { written: null, last: null }

/** An anchor, the file it was made in, and the content in which it is looked for. */
export interface AnchorQuestion {
  pageId: string
  anchor: Anchor
  /** The file of a deck; '' on other pages. */
  path: string
  /** The hash of the file that the author had open. */
  fileHash: string
  /** The results of earlier look-ups. */
  places: AnchorPlaces
  /** The manifest that readers have open. */
  shownManifestId: string
}

export interface Located {
  state: AnchorState | null
  places: AnchorPlaces
}

/** The anchor with the text that surrounds its words now, instead of the original text. */
export function anchorNow(anchor: Anchor, state: string | null, { last }: AnchorPlaces): Anchor {
  if (state !== 'moved' || last === null || !isTextAnchor(anchor)) return anchor
  return { ...anchor, prefix: last.prefix, suffix: last.suffix }
}
