import { LRUCache } from 'lru-cache'
import type { FormControl } from '../../model/form.ts'
import type { Page } from '../../model/page/index.ts'

const MAX_PAGES = 200
const MAX_CHARS = 8 * 1024 * 1024

/** What a page's HTML says about responses: the published HTML, or the draft if there is none. */
export interface Forms {
  /** Whether visitors can respond; false if nothing is published. */
  collecting: boolean
  controls: readonly FormControl[]
}

/** Entries never become stale, since content is immutable. */
export type FormCache = ReturnType<typeof createFormCache>

export function createFormCache(formsOf: (page: Page) => Promise<Forms>) {
  const entries = new LRUCache<string, Forms, Page>({
    max: MAX_PAGES,
    maxSize: MAX_CHARS,
    sizeCalculation: charsOf,
    fetchMethod: (_key, _old, { context }) => formsOf(context),
  })

  function keyOf({ published_id, draft_id }: Page): string {
    return published_id ?? `draft ${draft_id}`
  }
  return {
    /** Identifies the content that `of` describes. Content never changes under its key. */
    keyOf,
    of: async (page: Page) => (await entries.fetch(keyOf(page), { context: page }))!,
  }
}

function charsOf({ controls }: Forms): number {
  return controls.reduce((sum, { name, label }) => sum + name.length + (label?.length ?? 0) + 1, 1)
}
