import type { FormControl } from '../../model/form.ts'
import type { Page } from '../../model/page/index.ts'

const MAX_KEPT = 200

/** What a page's HTML says about responses: the published one, or the draft where none is. */
export interface Forms {
  /** Visitors can respond: never where nothing is published. */
  collecting: boolean
  controls: readonly FormControl[]
}

export interface FormCache {
  of(page: Page): Promise<Forms>
  /** Names the content whose forms `of` answers: under one key they never change. */
  keyOf(page: Page): string
}

/** Least recently used go first. Nothing goes stale: content never changes under its key. */
export function createFormCache(formsOf: (page: Page) => Promise<Forms>): FormCache {
  const known = new Map<string, Forms>()

  function keyOf({ published_id: publishedId, draft_id: draftId }: Page): string {
    return publishedId ?? `draft ${draftId}`
  }
  return {
    keyOf,
    async of(page) {
      const key = keyOf(page)
      const forms = known.get(key) ?? (await formsOf(page))
      known.delete(key)
      known.set(key, forms)
      if (known.size > MAX_KEPT) known.delete(known.keys().next().value!)
      return forms
    },
  }
}
