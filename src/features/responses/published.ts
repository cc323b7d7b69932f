import type { FormControl } from '../../model/form.ts'
import type { Page } from '../../model/page/index.ts'

const IN_MEMORY = 200

/** What a page's HTML says about responses: the published one, or the draft where none is. */
export interface Forms {
  /** Visitors can respond: never where nothing is published. */
  collecting: boolean
  controls: readonly FormControl[]
}

export interface Published {
  of(page: Page): Promise<Forms>
  /** Names the content that `of` speaks of: the same content says the same. */
  keyOf(page: Page): string
}

/** What was asked of lately is kept: content never changes under its name. */
export function createPublished(formsOf: (page: Page) => Promise<Forms>): Published {
  const known = new Map<string, Forms>()

  function keyOf({ published_id, draft_id }: Page): string {
    return published_id ?? `draft ${draft_id}`
  }
  return {
    keyOf,
    async of(page) {
      const key = keyOf(page)
      const forms = known.get(key) ?? (await formsOf(page))
      known.delete(key)
      known.set(key, forms)
      if (known.size > IN_MEMORY) known.delete(known.keys().next().value!)
      return forms
    },
  }
}
