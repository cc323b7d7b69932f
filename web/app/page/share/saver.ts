import { ApiError } from '../../../../src/client/index.ts'
import type { Page } from '../../api.ts'
import { createStore } from '../../store.ts'
import type { PageChange } from '../use-page.ts'

/** One change of settings. Its members are saved together, or none of them. */
export interface Change {
  /** The control it belongs to, where a refusal is shown. */
  field: string
  /** A function gets the page as the server has it then: lists keep what another tab has added. */
  values: PageChange | ((page: Page) => PageChange)
  done?: (() => void) | undefined
}

interface SaverState {
  /** What is not saved yet, in order. The first one may be on its way. */
  pending: readonly Change[]
  /** `stopped`: nothing was refused, but server or session are gone, and the changes wait. */
  status: 'idle' | 'saving' | 'saved' | 'stopped'
  /** Why it has stopped last. */
  error: unknown
  /** The server's sentence for each field whose last change was refused. */
  refusals: ReadonlyMap<string, string>
}

interface SaverDeps {
  /** Runs it after other changes of the page’s settings that are under way. */
  queue(run: () => Promise<void>): Promise<void>
  send(change: PageChange): Promise<Page>
  /** Reads the page, for a change of a list. */
  read(): Promise<Page>
  onSaved(page: Page): void
}

export type Saver = ReturnType<typeof createSaver>

/**
 * Saves changes one after another, in the order in which they were made, so that the last one wins.
 * A change that waits is replaced by a newer one of the same field. A refused change is dropped.
 * One that did not arrive waits, with those after it.
 */
export function createSaver({ queue, send, read, onSaved }: SaverDeps) {
  const refusals = new Map<string, string>()
  const store = createStore<SaverState>({ pending: [], status: 'idle', error: null, refusals })
  let inFlight: Change | null = null
  const set = (next: Partial<SaverState>) => store.set({ ...store.get(), ...next })

  function refusalsWith(field: string, message: string | null): ReadonlyMap<string, string> {
    const refusals = new Map(store.get().refusals)
    if (message === null) refusals.delete(field)
    else refusals.set(field, message)
    return refusals
  }

  async function run(): Promise<void> {
    for (let [change] = store.get().pending; change; [change] = store.get().pending) {
      const { field, values } = change
      let refusal: string | null = null
      inFlight = change
      try {
        onSaved(await send(typeof values === 'function' ? values(await read()) : values))
        change.done?.()
      } catch (error) {
        if (!isRefusal(error)) {
          set({ status: 'stopped', error })
          return
        }
        refusal = error.message
      } finally {
        inFlight = null
      }
      const pending = store.get().pending.filter((each) => each !== change)
      set({
        pending,
        refusals: refusalsWith(field, refusal),
        ...(pending.length === 0 && { status: refusal === null ? 'saved' : 'idle' }),
      })
    }
  }

  function start(): void {
    set({ status: 'saving' })
    void queue(run)
  }

  return {
    ...store,
    save(change: Change): void {
      const isReplaced = (each: Change) =>
        each.field === change.field && each !== inFlight && typeof each.values === 'object'
      const { pending, status } = store.get()
      const before =
        typeof change.values === 'object' ? pending.filter((each) => !isReplaced(each)) : pending
      set({ pending: [...before, change], refusals: refusalsWith(change.field, null) })
      if (status !== 'saving') start()
    },
    resume(): void {
      if (store.get().status === 'stopped') start()
    },
    discard(): void {
      const pending = store.get().pending.filter((each) => each === inFlight)
      set({ pending, ...(inFlight === null && { status: 'idle' }) })
    },
    clearRefusal(field: string): void {
      if (store.get().refusals.has(field)) set({ refusals: refusalsWith(field, null) })
    },
  }
}

/** Whether the server understood the change and said no. Everything else may succeed later. */
function isRefusal(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.status === null) return false
  if (error.code === 'signed_out' || error.status === 429) return false
  return error.status >= 400 && error.status < 500
}

export function withChanges(page: Page, pending: readonly Change[]): Page {
  const state = { ...page }
  for (const { values } of pending) {
    Object.assign(state, typeof values === 'function' ? values(state) : values)
  }
  return state
}
