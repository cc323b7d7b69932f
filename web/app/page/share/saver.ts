import { ApiError } from '../../../../src/client/index.ts'
import type { Page } from '../../boot.ts'
import type { PageChange } from '../use-page.ts'

/** One change of settings. Its members are saved together, or none of them. */
export interface Change {
  /** The control it belongs to, where a refusal is shown. */
  field: string
  /**
   * The members to send. A function gets the page as the server has it at that moment: lists that
   * another tab changes as well keep what it added.
   */
  values: PageChange | ((page: Page) => PageChange)
}

export type SaverStatus =
  | { name: 'idle' }
  | { name: 'saving' }
  | { name: 'saved' }
  /** Nothing was refused, but the server or the session is gone: the changes wait. */
  | { name: 'stopped'; error: unknown }

export interface SaverState {
  /** What is not saved yet, in order. The first one may be on its way. */
  pending: readonly Change[]
  status: SaverStatus
  /** The server's sentence for each field whose last change was refused. */
  refusals: ReadonlyMap<string, string>
}

export interface SaverDeps {
  /** Sends the members, and answers the page as it is then. */
  send(change: PageChange): Promise<Page>
  /** Reads the page, for a change of a list. */
  read(): Promise<Page>
  onSaved(page: Page): void
}

/**
 * Saves changes one after another, in the order in which they were made, so that the last one wins.
 * A change that waits is replaced by a newer one of the same field. A refused change is dropped.
 * One that did not arrive waits, with those after it.
 */
export interface Saver {
  state(): SaverState
  subscribe(listener: () => void): () => void
  save(change: Change): void
  /** Tries again what did not arrive. */
  resume(): void
  /** Drops everything that is not saved. */
  discard(): void
  clearRefusal(field: string): void
}

export function createSaver({ send, read, onSaved }: SaverDeps): Saver {
  const listeners = new Set<() => void>()
  let state: SaverState = { pending: [], status: { name: 'idle' }, refusals: new Map() }
  let sent: Change | null = null

  function set(next: Partial<SaverState>): void {
    state = { ...state, ...next }
    for (const listener of listeners) listener()
  }
  function refuse(field: string, message: string | null): ReadonlyMap<string, string> {
    const refusals = new Map(state.refusals)
    if (message === null) refusals.delete(field)
    else refusals.set(field, message)
    return refusals
  }

  async function run(): Promise<void> {
    for (;;) {
      const change = state.pending[0]
      if (change === undefined) return
      sent = change
      set({ status: { name: 'saving' } })
      const outcome = await attempt(change)
      sent = null
      if ('isStopped' in outcome) {
        set({ status: { name: 'stopped', error: outcome.error } })
        return
      }
      const pending = state.pending.filter((each) => each !== change)
      if ('page' in outcome) onSaved(outcome.page)
      const isRefused = 'refusal' in outcome
      const isLast = pending.length === 0
      set({
        pending,
        refusals: refuse(change.field, 'refusal' in outcome ? outcome.refusal : null),
        ...(isLast && { status: { name: isRefused ? 'idle' : 'saved' } }),
      })
    }
  }

  async function attempt({ values }: Change) {
    try {
      const change = typeof values === 'function' ? values(await read()) : values
      return { page: await send(change) }
    } catch (error) {
      if (isRefusal(error)) return { refusal: error.message }
      return { isStopped: true as const, error }
    }
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    save(change) {
      const isReplaced = (each: Change) =>
        each.field === change.field && each !== sent && typeof each.values === 'object'
      const before = typeof change.values === 'object' ? isReplaced : () => false
      const pending = [...state.pending.filter((each) => !before(each)), change]
      const isWaiting = state.status.name === 'saving'
      set({ pending, refusals: refuse(change.field, null) })
      if (!isWaiting) void run()
    },
    resume() {
      if (state.status.name === 'stopped') void run()
    },
    discard() {
      const pending = state.pending.filter((each) => each === sent)
      set({ pending, ...(sent === null && { status: { name: 'idle' } }) })
    },
    clearRefusal(field) {
      if (state.refusals.has(field)) set({ refusals: refuse(field, null) })
    },
  }
}

/** Whether the server understood the change and said no. Everything else may succeed later. */
function isRefusal(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.status === null) return false
  if (error.code === 'signed_out' || error.status === 429) return false
  return error.status >= 400 && error.status < 500
}

/** The page with the changes that are not saved yet. */
export function withChanges(page: Page, pending: readonly Change[]): Page {
  const shown = { ...page }
  for (const { values } of pending) {
    Object.assign(shown, typeof values === 'function' ? values(shown) : values)
  }
  return shown
}
