import type { Places } from './places.ts'
import type { ThreadState } from './thread-state.ts'

/** What the page of the tab asks for. */
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
