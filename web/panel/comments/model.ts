import type { Anchor } from '../../../src/model/anchor.ts'
import type { Thread, ThreadState } from './thread-state.ts'

/** What the content of the tab asks for. */
export interface CommentsModel {
  state: ThreadState
  places: Places
  requiresEmail(): boolean
  isOff(): boolean
  isOwner(): boolean
  /** Reads what changed, now. */
  refresh(): void
  readEarlier(): Promise<void>
}

export interface PlacesOptions {
  /** The visitor wants to comment on a passage or spot. The panel is open. */
  onComment(anchor: Anchor): void
  /** The visitor clicked what is marked. The panel is open. */
  onMark(threadId: string): void
  /** The marked places have changed. */
  onMarksShown(): void
}

/** Where comments stand in the page: passages of a framed page, spots on an image or a PDF. */
export interface Places {
  /** Marks the places of these threads. */
  mark(threads: readonly Thread[]): void
  isMarked(threadId: string): boolean
  /** Scrolls to a marked place. */
  reveal(threadId: string): void
  /** Lets the visitor choose a spot or an element, and what the button for it says. */
  pick: { label: string; start(): void }
}
