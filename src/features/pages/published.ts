import { LRUCache } from 'lru-cache'
import { gateOf, type Page } from '../../model/page/index.ts'
import type { Database } from '../../platform/db/index.ts'
import { atMost } from '../../platform/lru.ts'
import type { Content, Release, ReleaseFile } from '../content/index.ts'
import type { Views } from '../views/index.ts'
import { createPageCache } from './page-cache.ts'
import * as store from './store.ts'

const MAX_PAGES = 10_000

/** A page in the form that serving needs: one look-up returns everything except the bytes. */
export interface PublishedPage {
  page: Page
  max_views: number | null
  /** The input of the access rule. */
  gate: ReturnType<typeof gateOf>
  /** Null while the page is not published. */
  release: Release | null
  files: ReadonlyMap<string, ReleaseFile>
  /** Whether the release is a draft or version, from a preview address of its owner. */
  isPreview: boolean
}

export interface PublishedPages {
  /** The page of a slug, if it is in memory. */
  cachedPage(slug: string): PublishedPage | undefined
  /** The page with an id, if it is in memory. */
  cachedPageById(id: string): PublishedPage | undefined
  /** The page of a slug, read from the database and cached. */
  findPublished(slug: string): Promise<PublishedPage | undefined>
  /** The page with an id, from memory where it is there. */
  findPublishedById(id: string): Promise<PublishedPage | undefined>
  /** Whether the page is in memory, has no limit and mails nobody about views. */
  hasPlainCount(id: string): boolean
  /** The same page with its draft in place of what is published. */
  draftOf(published: PublishedPage): Promise<PublishedPage>
  /** The same page with other content of it, for a preview. */
  previewOf(published: PublishedPage, manifestId: string): Promise<PublishedPage>
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
  const cache = await createPageCache<PublishedPage>({ database, maxPages, charsOf, checkMs })
  /** The slugs by id. A slug that is no longer the page's leads to no page, or to another one. */
  const slugs = new LRUCache<string, string>(atMost(maxPages))
  /** Previewed versions, for as long as the page is cached. */
  const previews = new WeakMap<PublishedPage, Map<string, PublishedPage>>()
  const { get: cachedPage } = cache

  async function load(slug: string): Promise<PublishedPage | undefined> {
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
    hasPlainCount(id) {
      const cached = cachedPage(slugs.get(id) ?? '')
      if (cached?.page.id !== id) return false
      return cached.max_views === null && !cached.gate.notify_on_view
    },
    async draftOf(published) {
      const release = await content.getRelease(published.page.draft_id)
      return { ...published, release, files: byPath(release) }
    },
    async previewOf(published, manifestId) {
      const known = previews.get(published)?.get(manifestId)
      if (known !== undefined) return known
      const release = await content.getRelease(manifestId)
      const preview = { ...published, release, files: byPath(release), isPreview: true }
      const others = previews.get(published)
      previews.set(published, new Map([...(others ?? []), [manifestId, preview]]))
      return preview
    },
  }
}

function byPath(release: Release | null): Map<string, ReleaseFile> {
  return new Map(release?.files.map((file) => [file.path, file]))
}

/** The approximate memory of a page: a deck's release and a list of invitees can be large. */
function charsOf({ page, release }: PublishedPage): number {
  return JSON.stringify(page).length + JSON.stringify(release).length
}
