import type { Anchor } from '../../../src/model/anchor.ts'

/** A comment that is being written, or that could not be sent. */
export interface Draft {
  text: string
  /** The id that it is sent with, so that a retry makes no second comment. */
  id: string | null
  /** The text that was sent last, if no answer said that it was stored. */
  sentText: string | null
  /**
   * The passage or spot that it is about; null for the whole page. `stamp` is the source token of
   * the file that was shown: another may be when it is posted. Older drafts lack it.
   */
  anchor: { stamp?: string; at: Anchor } | null
}

const EMPTY: Draft = { text: '', id: null, sentText: null, anchor: null }
const MAX_DRAFTS = 50
const NAME_KEY = 'handbill:comment-name'

/** Keeps what a visitor writes on a page in this browser, until the server has it. */
export function createDrafts(pagePath: string) {
  const key = `handbill:comments:${pagePath}`
  let memory: Record<string, Draft> = read()
  let name = storedName()

  function read(): Record<string, Draft> {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
      return typeof stored === 'object' && stored !== null ? (stored as typeof memory) : {}
    } catch {
      return memory ?? {}
    }
  }

  function write(drafts: Record<string, Draft>): void {
    memory = Object.fromEntries(Object.entries(drafts).slice(-MAX_DRAFTS))
    try {
      if (Object.keys(memory).length === 0) localStorage.removeItem(key)
      else localStorage.setItem(key, JSON.stringify(memory))
    } catch {
      // Without storage a draft is lost with its window.
    }
  }

  return {
    /** @param place the comment that is replied to; '' for a new one */
    get: (place: string): Draft => ({ ...EMPTY, ...read()[place] }),
    set(place: string, draft: Draft): void {
      const { [place]: _, ...others } = read()
      const isEmpty = draft.text.trim() === '' && draft.anchor === null
      write(isEmpty ? others : { ...others, [place]: draft })
    },
    remove(place: string): void {
      const { [place]: _, ...others } = read()
      write(others)
    },
    /** The comments that have an unsent reply. */
    replied: (): string[] => Object.keys(read()).filter((place) => place !== ''),
    name: (): string => name,
    /** Stored once it is posted with a comment. */
    setName(next: string): void {
      name = next
    },
    storeName(): void {
      try {
        localStorage.setItem(NAME_KEY, name)
      } catch {
        // It is asked for again.
      }
    },
  }
}
export type Drafts = ReturnType<typeof createDrafts>

function storedName(): string {
  try {
    return localStorage.getItem(NAME_KEY) ?? ''
  } catch {
    return ''
  }
}
