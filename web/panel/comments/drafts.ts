import type { Anchor } from '../../../src/model/anchor.ts'
import { stored } from '../../stored.ts'

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
const storedName = stored('localStorage', 'handbill:comment-name')

/** Keeps what a visitor writes on a page in this browser, until the server has it. */
export function createDrafts(pagePath: string) {
  const drafts = stored('localStorage', `handbill:comments:${pagePath}`)
  /** What the browser has not taken, which is lost with its window. */
  let memory: Record<string, Draft> | null = null

  function read(): Record<string, Draft> {
    return memory ?? (drafts.readJson() as Record<string, Draft> | null) ?? {}
  }

  function write(all: Record<string, Draft>): boolean {
    const newest = Object.fromEntries(Object.entries(all).slice(-MAX_DRAFTS))
    const isEmpty = Object.keys(newest).length === 0
    memory = drafts.write(isEmpty ? null : JSON.stringify(newest)) ? null : newest
    return !memory
  }

  return {
    /** @param place the comment that is replied to; '' for a new one */
    get: (place: string): Draft => ({ ...EMPTY, ...read()[place] }),
    /** An empty one is removed. @returns whether the browser has taken it */
    set(place: string, draft: Draft = EMPTY): boolean {
      const { [place]: _, ...others } = read()
      const isEmpty = draft.text.trim() === '' && draft.anchor === null
      return write(isEmpty ? others : { ...others, [place]: draft })
    },
    /** The comments that have an unsent reply. */
    replied: (): string[] => Object.keys(read()).filter(Boolean),
    /** The visitor's. */
    name: storedName.read() ?? '',
    /** @param field one whose text is lost by a reload unless the browser has taken it */
    setName(field: HTMLInputElement): void {
      this.name = field.value
      if (storedName.write(this.name)) field.defaultValue = this.name
    },
  }
}
export type Drafts = ReturnType<typeof createDrafts>
