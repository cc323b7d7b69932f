import type { Page, PageSettings } from '../../model/page/index.ts'
import type { Release, ReleaseFile } from '../content/index.ts'
import { PAGE_CHANGED, type PageDeps } from './records.ts'
import * as store from './store.ts'

const PAGES_IN_MEMORY = 10_000

/** A page as the serving path meets it: one look-up answers everything but the bytes. */
export interface PublishedPage {
  page: Page
  max_views: number | null
  /** What the gate asks, as it is until the page changes. */
  gate: PageSettings & { is_published: boolean }
  /** Null while nothing is published. */
  release: Release | null
  files: ReadonlyMap<string, ReleaseFile>
}

/**
 * Pages by slug, kept in memory until a write to one of them is heard of. A fill that was under
 * way when something changed is not kept: it may have read what was before.
 */
export async function createPublishedPages({ database, content, views }: PageDeps) {
  const known = new Map<string, PublishedPage>()
  let changes = 0

  await database.listen(
    PAGE_CHANGED,
    (slug) => {
      changes += 1
      known.delete(slug)
    },
    () => {
      changes += 1
      known.clear()
    },
  )

  async function load(slug: string): Promise<PublishedPage | undefined> {
    const page = await store.findPageBySlug(database.read, slug)
    if (page === undefined) return undefined
    const counter = (await views.countersOf([page.id])).get(page.id)
    if (counter === undefined) return undefined
    const release = page.published_id === null ? null : await content.getRelease(page.published_id)
    const files = byPath(release)
    const gate = { ...page.settings, is_published: release !== null }
    return { page, max_views: counter.max_views, gate, release, files }
  }

  return {
    async draftOf(live: PublishedPage): Promise<PublishedPage> {
      const release = await content.getRelease(live.page.draft_id)
      return { ...live, release, files: byPath(release) }
    },
    known: (slug: string): PublishedPage | undefined => known.get(slug),
    async find(slug: string): Promise<PublishedPage | undefined> {
      const changesBefore = changes
      const live = await load(slug)
      if (live === undefined || changes !== changesBefore) return live
      if (known.size >= PAGES_IN_MEMORY) known.delete(known.keys().next().value!)
      known.set(slug, live)
      return live
    },
  }
}

function byPath(release: Release | null): Map<string, ReleaseFile> {
  return new Map(release?.files.map((file) => [file.path, file]))
}
