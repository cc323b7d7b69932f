import { LRUCache } from 'lru-cache'
import type { Gated, Purpose } from '../../model/page/admission.ts'
import { gateOf, type Page } from '../../model/page/index.ts'
import type { Database } from '../../platform/db/index.ts'
import { atMost } from '../../platform/lru.ts'
import type { Content, Release, ReleaseFile } from '../content/index.ts'
import type { Views } from '../views/index.ts'
import { createPageCache } from './page-cache.ts'
import * as store from './store.ts'

const MAX_PAGES = 10_000

/** A page as anybody may know it: with its gate, and without its content. */
export interface PublishedPage
  extends Gated<{ view: Opening<'view'>; preview: Opening<'preview'> }> {
  page: Page
  max_views: number | null
  /** The input of the access rule. */
  gate: ReturnType<typeof gateOf>
}

declare const purpose: unique symbol

/**
 * A page that `decide` has opened, with the content behind its gate: one look-up returned all of it
 * except the bytes.
 */
export interface OpenPage<P extends Purpose = Purpose> extends PublishedPage {
  release: Release
  files: ReadonlyMap<string, ReleaseFile>
  /** Whether the release is a draft or version, from a preview address of its owner. */
  isPreview: boolean
  readonly [purpose]: P
}

/** The same, also of a page that is not published: it has no content but its draft. */
export type Opening<P extends Purpose = Purpose> =
  | OpenPage<P>
  | (Omit<OpenPage<P>, 'release'> & { release: null })

export interface PublishedPages {
  /** The page of a slug, if it is in memory. */
  cachedPage(slug: string): PublishedPage | undefined
  /** The page with an id, if it is in memory. */
  cachedPageById(id: string): PublishedPage | undefined
  /** The page of a slug, read from the database and cached. */
  findPublished(slug: string): Promise<PublishedPage | undefined>
  /** The page with an id, from memory where it is there. */
  findPublishedById(id: string): Promise<PublishedPage | undefined>
  /** What is published, or to the owner, whom alone `decide` lets in before, the draft. */
  contentOf(opening: Opening<'view'>): OpenPage | Promise<OpenPage>
  /** The same page with other content of it, for a preview. */
  previewOf(opening: Opening<'preview'>, manifestId: string): Promise<OpenPage>
}

export interface PublishedPagesDeps {
  database: Database
  content: Pick<Content, 'getRelease'>
  views: Pick<Views, 'limitOf'>
  /** How many pages stay in memory. */
  maxPages?: number
  /** How often changes by other nodes are read; for tests. */
  checkMs?: number
}

/** Reads published pages in the form that serving needs, and caches them. */
export async function createPublishedPages({
  database,
  content,
  views,
  maxPages = MAX_PAGES,
  checkMs,
}: PublishedPagesDeps): Promise<PublishedPages> {
  const cache = await createPageCache<Loaded>({
    ...{ database, maxPages, charsOf, checkMs },
    accountOf: ({ page }) => page.account_id,
  })
  /** The slugs by id. A slug that is no longer the page's leads to no page, or to another one. */
  const slugs = new LRUCache<string, string>(atMost(maxPages))
  /** Previewed versions, for as long as the page is cached. */
  const previews = new WeakMap<PublishedPage, Map<string, OpenPage>>()
  const { get: cachedPage } = cache

  async function load(slug: string): Promise<Loaded | undefined> {
    const page = await store.findPageBySlug(database.read, slug)
    if (page === undefined) return undefined
    const maxViews = await views.limitOf(page.id)
    if (maxViews === undefined) return undefined
    const release = page.published_id === null ? null : await content.getRelease(page.published_id)
    const gate = gateOf(page)
    return {
      page,
      max_views: maxViews,
      gate,
      release,
      files: byPath(release),
      isPreview: false,
    }
  }

  async function findPublished(slug: string): Promise<PublishedPage | undefined> {
    const published = await cache.find(slug, () => load(slug))
    if (published !== undefined) slugs.set(published.page.id, slug)
    return published
  }

  function cachedPageById(id: string): PublishedPage | undefined {
    const cached = cachedPage(slugs.get(id) ?? '')
    return cached?.page.id === id ? cached : undefined
  }

  return {
    cachedPage,
    cachedPageById,
    findPublished,
    async findPublishedById(id) {
      const cached = cachedPageById(id)
      if (cached !== undefined) return cached
      const page = await store.findPage(database.read, id)
      const found = page && (cachedPage(page.slug) ?? (await findPublished(page.slug)))
      return found?.page.id === id ? found : undefined
    },
    contentOf(opening) {
      if (opening.release !== null) return opening
      return content
        .getRelease(opening.page.draft_id)
        .then((release) => ({ ...opening, release, files: byPath(release) }))
    },
    async previewOf(opening, manifestId) {
      const known = previews.get(opening)?.get(manifestId)
      if (known !== undefined) return known
      const release = await content.getRelease(manifestId)
      const preview = { ...opening, release, files: byPath(release), isPreview: true }
      const others = previews.get(opening)
      previews.set(opening, new Map([...(others ?? []), [manifestId, preview]]))
      return preview
    },
  }
}

/** A page as it is in memory. */
type Loaded = PublishedPage & Pick<Opening, 'release' | 'files' | 'isPreview'>

function byPath(release: Release | null): Map<string, ReleaseFile> {
  return new Map(release?.files.map((file) => [file.path, file]))
}

/** The approximate memory of a page: a deck's release and a list of invitees can be large. */
function charsOf({ page, release }: Loaded): number {
  return JSON.stringify(page).length + JSON.stringify(release).length
}
