import {
  openTo,
  type Page,
  type ShownState,
  settingWarnings,
  shownStateOf,
  stateFieldsOf,
} from '../../model/page/index.ts'
import type { PageObject } from '../../model/page/page-object.ts'
import { displayDomain, displayEmail } from '../../platform/display-email.ts'
import {
  describeWarnings,
  firstWarnings,
  type Outline,
  type Release,
  type Warning,
} from '../content/index.ts'
import type { Counter } from '../views/index.ts'
import type { UpdateInput } from './contract.ts'
import { type PageDeps, passwordOf } from './parts.ts'
import { fallbackWarnings, pageNotFound } from './rules.ts'

/**
 * The answer to a write: the page, and warnings about what will not work for visitors, and about
 * settings without effect.
 */
export interface Written {
  data: PageObject
  warnings: Warning[]
}

/** The page objects of a list, without passwords, with the states that they have at this time. */
export async function presentAll(
  { content, views, clock, baseUrl }: PageDeps,
  pages: Page[],
  now = clock.now(),
): Promise<PageObject[]> {
  if (pages.length === 0) return []
  const outlines = await content.outlines(pages.map((page) => page.draft_id))
  const counters = await views.countersOf(pages.map(({ id }) => id))
  return pages.flatMap((page) => {
    const outline = outlines.get(page.draft_id)
    const counter = counters.get(page.id)
    // A page that was deleted between the reads is left out.
    return outline && counter ? [pageObjectOf(page, { outline, counter, now, baseUrl })] : []
  })
}

/** The page object of a single page, with its password where that is its access. */
export async function present(deps: PageDeps, page: Page): Promise<PageObject> {
  const [object] = await presentAll(deps, [page])
  // The page was deleted after it was read or written.
  if (object === undefined) throw pageNotFound()
  const password = page.settings.access === 'password' ? passwordOf(deps, page) : null
  return { ...object, ...(password !== null && { password }) }
}

/** A page that was written. */
export interface Released {
  page: Page
  /** Of its new content; null where only settings were written. */
  release: Release | null
}

/** The answer to a write of a page. */
export async function written(
  deps: PageDeps,
  { page, release }: Released,
  input: UpdateInput = {},
): Promise<Written> {
  const ofContent =
    release === null ? [] : [...fallbackWarnings(page, release), ...release.warnings]
  const data = await present(deps, page)
  const { file, sha256: hash } = data
  const isMarked = page.settings.watermark && file !== null && hash !== null
  const isNew = release !== null || input.watermark === true
  const isMarkable = !isMarked || !isNew || (await deps.isMarkable({ ...file, hash }))
  const ofSettings = settingWarnings(page.settings, input, file !== null, isMarkable)
  const warnings = firstWarnings([...ofSettings, ...describeWarnings(ofContent, deps)])
  return { data, warnings }
}

interface PageFacts {
  outline: Outline
  counter: Counter
  now: string
  baseUrl: string
}

/** The page object, without a password. */
export function pageObjectOf(
  page: Page,
  { outline, counter, now, baseUrl }: PageFacts,
): PageObject {
  const { settings } = page
  const allowedEmails = settings.allowed_emails.map(displayEmail)
  const allowedDomains = settings.allowed_domains.map(displayDomain)
  const publication = publicationOf(page)
  const state = stateFieldsOf(stateOf(page, counter, now))
  return {
    ...settings,
    allowed_emails: allowedEmails,
    allowed_domains: allowedDomains,
    approver_emails: settings.approver_emails.map(displayEmail),
    id: page.id,
    slug: page.slug,
    url: `${baseUrl}/p/${page.slug}`,
    title: page.title,
    perm: 'owner',
    people: allowedEmails.map((email) => ({ email, role: 'view' })),
    source: page.source,
    kind: outline.kind,
    entry_path: outline.kind === 'bundle' ? outline.entry : null,
    file_count: outline.html_count,
    size_bytes: outline.size_bytes,
    sha256: outline.sha256,
    file: outline.file,
    needs_origin: outline.needs_origin,
    ...publication,
    open_to: openTo({
      ...settings,
      ...publication,
      ...state,
      allowed_domains: allowedDomains,
      max_views: counter.max_views,
    }),
    ...state,
    published_at: page.published_at,
    taken_down_reason: page.taken_down_reason,
    created_at: page.created_at,
    updated_at: page.updated_at,
    views: counter.views,
    max_views: counter.max_views,
  }
}

export function stateOf(page: Page, counter: Counter, now: string): ShownState {
  return shownStateOf({ ...publicationOf(page), ...page.settings, ...counter }, now)
}

function publicationOf(page: Page) {
  return {
    is_published: page.published_id !== null,
    has_unpublished_changes: page.published_id !== page.draft_id,
    taken_down_at: page.taken_down_at,
    trashed_at: page.trashed_at,
  }
}
