import { LRUCache } from 'lru-cache'
import { chosenAccent } from '../../model/accent.ts'
import type { Brand } from '../../model/brand.ts'
import type { Gated, Purpose } from '../../model/page/admission.ts'
import { gateOf, type Page } from '../../model/page/index.ts'
import type { Database } from '../../platform/db/index.ts'
import { isId } from '../../platform/ids.ts'
import { atMost } from '../../platform/lru.ts'
import { findBrand } from '../accounts/index.ts'
import type { Content, Release, ReleaseFile } from '../content/index.ts'
import type { Views } from '../views/index.ts'
import { createChangeWatch } from './changed/change-watch.ts'
import { PAGE_CHANGED } from './changes.ts'
import * as store from './store.ts'

const MAX_PAGES = 10_000
const MAX_CHARS = 64 * 1024 * 1024
/** What a file takes besides, once it was served: its headers in each encoding. */
const FILE_CHARS = 2 * 1024
/** How often other nodes' changes are read. */
const CHECK_MS = 1000

/** A page as anybody may know it: with its gate, and without its content. */
export interface PublishedPage
  extends Gated<{ view: Opening<'view'>; preview: Opening<'preview'> }> {
  page: Page
  max_views: number | null
  /** Of its owner; the accent is the page's own where it has one. */
  brand: Brand
  /** The input of the access rule. */
  gate: ReturnType<typeof gateOf>
}

/** What is the same for every request to a page until it changes. */
export interface ServingPlan {
  /** The file at the page's own address; null for a deck, whose files have addresses below. */
  entry: ReleaseFile | null
  /**
   * Whether every browser gets it in the shell: for comments, approvals or votes beside it, or to
   * send responses that its own policy may block.
   */
  isFramed: boolean
  /** Whether the sandbox needs the shell: for storage, or for files that carry no cookie. */
  needsShell: boolean
  /** Whether browsers that can open it at an origin of its own. */
  hasOrigin: boolean
  /** Whether its files are requested one by one after the view that was counted. */
  hasVisits: boolean
  /** Whether the tokens in its answers hold proofs for its gate. */
  isGated: boolean
  /** Whether everybody but the owner gets copies of its file alone that say whose they are. */
  isMarked: boolean
  /** A limited view is on the disk before it is answered; the owner is mailed about others. */
  counting: { limited: boolean; notify: boolean }
}

declare const purpose: unique symbol

/**
 * A page that `decide` has opened, with the content behind its gate: one look-up returned all of it
 * except the bytes.
 */
export interface OpenPage<P extends Purpose = Purpose> extends PublishedPage {
  release: Release
  files: ReadonlyMap<string, ReleaseFile>
  plan: ServingPlan
  /** Whether the release is a draft or version, from a preview address of its owner. */
  isPreview: boolean
  readonly [purpose]: P
}

/** The same, also of a page that is not published: it has no content but its draft. */
export type Opening<P extends Purpose = Purpose> =
  | OpenPage<P>
  | (Omit<OpenPage<P>, 'release' | 'plan'> & { release: null; plan: null })

export type PublishedPages = Awaited<ReturnType<typeof createPublishedPages>>

interface PublishedPagesDeps {
  database: Database
  content: Pick<Content, 'getRelease'>
  views: Pick<Views, 'limitOf'>
  /** How many pages stay in memory. */
  maxPages?: number
  /** How often changes by other nodes are read; for tests. */
  checkMs?: number
}

/** Reads published pages in the form that serving needs, and caches them. */
export async function createPublishedPages(deps: PublishedPagesDeps) {
  const { database, content, views, maxPages = MAX_PAGES, checkMs = CHECK_MS } = deps
  const cache = await createPageCache({ database, maxPages, checkMs })
  /** The slugs by id. A slug that is no longer the page's leads to no page, or to another one. */
  const slugs = new LRUCache<string, string>(atMost(maxPages))
  const { get: cachedPage } = cache

  async function load(slug: string): Promise<Loaded | undefined> {
    const page = await store.findPageBySlug(database.read, [slug])
    if (page === undefined) return undefined
    const [maxViews, owner] = await Promise.all([
      views.limitOf(page.id),
      findBrand(database.read, page.account_id),
    ])
    if (maxViews === undefined) return undefined
    const brand = { ...owner, accent: chosenAccent(page.settings) ?? owner.accent }
    const release = page.published_id === null ? null : await content.getRelease(page.published_id)
    const published = { page, max_views: maxViews, gate: gateOf(page), brand, isPreview: false }
    if (release === null) return { ...published, release, files: new Map(), plan: null }
    return { ...published, ...contentOf(published, release) }
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
    /** The page of a slug, if it is in memory. */
    cachedPage: cachedPage as (slug: string) => PublishedPage | undefined,
    /** The page with an id, if it is in memory. */
    cachedPageById,
    /** The page of a slug, read from the database and cached. */
    findPublished,
    /** The page with an id, from memory where it is there. */
    async findPublishedById(id: string): Promise<PublishedPage | undefined> {
      const cached = cachedPageById(id)
      if (cached !== undefined) return cached
      const page = await store.findPage(database.read, [id])
      const published = page && (cachedPage(page.slug) ?? (await findPublished(page.slug)))
      return published?.page.id === id ? published : undefined
    },
    /** What is published, or to the owner, whom alone `decide` lets in before, the draft. */
    contentOf(opening: Opening<'view'>): OpenPage | Promise<OpenPage> {
      if (opening.release !== null) return opening
      return content
        .getRelease(opening.page.draft_id)
        .then((release) => ({ ...opening, ...contentOf(opening, release) }))
    },
    /** The same page with other content of it, for a preview. */
    async previewOf(opening: Opening<'preview'>, manifestId: string): Promise<OpenPage> {
      const release = await content.getRelease(manifestId)
      return { ...opening, ...contentOf(opening, release), isPreview: true }
    },
  }
}

/** A page as it is in memory. */
type Loaded = PublishedPage & Pick<Opening, 'release' | 'files' | 'plan' | 'isPreview'>

function contentOf(published: PublishedPage, release: Release) {
  const files = new Map(release.files.map((file) => [file.path, file]))
  return { release, files, plan: planOf(published, release) }
}

/** All that depends on the page alone; `classify` has what depends on the request. */
export function planOf(published: PublishedPage, release: Release): ServingPlan {
  const { page, gate, max_views: maxViews } = published
  const { settings } = page
  const isDeck = release.kind === 'bundle'
  const isLimited = maxViews !== null
  const isGated = !gate.is_open
  return {
    entry: isDeck ? null : (release.files.find(({ path }) => path === release.entry) ?? null),
    isFramed:
      settings.allow_comments ||
      settings.collect_approvals ||
      settings.collect_votes ||
      release.blocks_responses,
    needsShell: release.uses_storage || (isDeck && (isGated || isLimited)),
    hasOrigin: release.is_active || release.hosting !== null || settings.fallback !== null,
    hasVisits: isDeck || (isLimited && release.file_name !== null),
    isGated,
    isMarked: settings.watermark && release.file_name !== null,
    counting: { limited: isLimited, notify: gate.notify_on_view },
  }
}

type CacheDeps = Required<Pick<PublishedPagesDeps, 'database' | 'maxPages' | 'checkMs'>>

/**
 * Caches pages by slug until a write to the page or its account is announced. On
 * PostgreSQL, other nodes write as well, and their notifications may be lost. So changes are also
 * read each second, and nothing is served from memory unless one of the last two checks confirmed
 * it. On SQLite, commands write beside the server, which notices at its next look into the cache.
 */
async function createPageCache({ database, maxPages, checkMs }: CacheDeps) {
  const cache = new LRUCache<string, Loaded>({
    max: maxPages,
    maxSize: MAX_CHARS,
    sizeCalculation: charsOf,
  })
  let changes = 0

  /** @param changed the slug of a page, or the id of an account: all its pages */
  function onChanged(changed: string): void {
    changes += 1
    if (!isId('acc', changed)) return void cache.delete(changed)
    for (const [slug, value] of [...cache.entries()]) {
      if (value.page.account_id === changed) cache.delete(slug)
    }
  }
  function onLost(): void {
    changes += 1
    cache.clear()
  }
  const onMissed = database.listenAgain
  const watch =
    database.engine === 'postgres'
      ? createChangeWatch({ database, everyMs: checkMs, onChanged, onLost, onMissed })
      : null
  const onNotified = (changed: string) => {
    watch?.announced(changed)
    onChanged(changed)
  }
  await database.listen(PAGE_CHANGED, onNotified, onLost)

  /** The cached value, if it may be served without a query. */
  function get(slug: string): Loaded | undefined {
    const value = cache.get(slug)
    if (value === undefined) return undefined
    return (watch?.isCurrent() ?? true) && database.isListening() ? value : undefined
  }

  return {
    get,
    /**
     * The cached value, or else reads and caches it. A value that was read while any page changed
     * is not cached, since it may be the state before that change.
     */
    async find(slug: string, read: () => Promise<Loaded | undefined>) {
      await watch?.catchUp()
      const cached = get(slug)
      if (cached !== undefined) return cached
      const before = changes
      const value = await read()
      if (value !== undefined && before === changes) cache.set(slug, value)
      return value
    },
  }
}

/** The approximate memory of a page: a deck's release and a list of invitees can be large. */
function charsOf({ page, release, files }: Loaded): number {
  return JSON.stringify(page).length + JSON.stringify(release).length + files.size * FILE_CHARS
}
