import type { Subjects } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import type { Tx } from '../../platform/db/index.ts'
import {
  type Content,
  describeWarnings,
  MAX_WARNINGS,
  type OriginSupport,
  outlineOf,
  type Release,
  type Staged,
  type Warning,
} from '../content/index.ts'
import type { Versions } from '../versions/index.ts'
import type { Views } from '../views/index.ts'
import type { FreedSlugs } from './freed-slugs/freed-slugs.ts'
import type { Idempotency } from './idempotency.ts'
import { pageObjectOf, type Written } from './present.ts'
import { firstFree, nthTitle } from './rules.ts'
import * as store from './store.ts'

/** A page that is ready to be stored. */
export interface NewPage {
  request: Subjects['account']
  /** With the title that the request gives, or null. */
  page: Page
  /** Whether the request names the slug. Another is random, and nobody had it before. */
  hasOwnSlug: boolean
  /** The title in the content, to be numbered where it is taken; null where none is needed. */
  derivedTitle: string | null
  staged: Staged & { release: Release }
  maxViews: number | null
  password: string | undefined
  /** About its settings. */
  warnings: readonly Warning[]
}

export interface InsertPagesDeps {
  content: Pick<Content, 'saveAll'>
  versions: Pick<Versions, 'saveFirst'>
  views: Pick<Views, 'createCounters'>
  freedSlugs: FreedSlugs
  idempotency: Idempotency
  baseUrl: string
  origins: OriginSupport
}

/** Stores new pages with all that belongs to them. Each method returns the answers. */
export function createInsertPages(deps: InsertPagesDeps) {
  const { content, versions, views, freedSlugs, idempotency } = deps

  /** The rows of pages that are inserted. Pages first: two transactions lock in one order. */
  async function insertRest(tx: Tx, inserted: readonly NewPage[]): Promise<Written[]> {
    const answers = inserted.map((newPage) => answerOf(newPage, deps))
    await content.saveAll(
      tx,
      inserted.map(({ staged }) => staged),
    )
    await views.createCounters(
      tx,
      inserted.map(({ page, maxViews }) => ({
        page_id: page.id,
        account_id: page.account_id,
        max_views: maxViews,
      })),
    )
    await versions.saveFirst(tx, inserted.map(firstVersionOf))
    const answered = inserted.map(({ request }, at) => ({ request, answer: answers[at] }))
    await idempotency.storeAnswers(tx, answered)
    return answers
  }

  return {
    /** @throws Refusal `slug_taken`, `duplicate_title` */
    async insertOne(tx: Tx, newPage: NewPage): Promise<Written> {
      const { page, derivedTitle } = newPage
      const title = derivedTitle && (await freeTitle(tx, page.account_id, derivedTitle))
      const titled = withTitle(newPage, title)
      await store.insertPage(tx, titled.page)
      if (newPage.hasOwnSlug) await freedSlugs.assertFree(tx, page)
      return (await insertRest(tx, [titled]))[0]!
    },
    /**
     * Of pages with random slugs. Leaves out those whose title is taken: their answer is undefined.
     */
    async insertFree(tx: Tx, newPages: readonly NewPage[]): Promise<(Written | undefined)[]> {
      const titled = newPages.map((newPage) => withTitle(newPage, newPage.derivedTitle))
      const inOrder = titled.map(({ page }) => page).sort(byTitle)
      const ids = await store.insertFreePages(tx, inOrder)
      const inserted = titled.filter(({ page }) => ids.has(page.id))
      if (inserted.length === 0) return newPages.map(() => undefined)
      const answers = await insertRest(tx, inserted)
      const byId = new Map(answers.map((answer) => [answer.data.id, answer]))
      return newPages.map(({ page }) => byId.get(page.id))
    },
  }
}

export type InsertPages = ReturnType<typeof createInsertPages>

function withTitle(newPage: NewPage, title: string | null): NewPage {
  return title === null ? newPage : { ...newPage, page: { ...newPage.page, title } }
}

function byTitle(a: Page, b: Page): number {
  return a.account_id + a.title < b.account_id + b.title ? -1 : 1
}

async function freeTitle(tx: Tx, accountId: string, title: string): Promise<string> {
  const n = await firstFree((n) => store.isTitleTaken(tx, accountId, nthTitle(title, n)))
  return nthTitle(title, n)
}

function outlineOfPage({ staged }: NewPage) {
  return outlineOf(staged.manifest, staged.release.needs_origin)
}

function firstVersionOf(newPage: NewPage) {
  const { page, staged } = newPage
  return {
    pageId: page.id,
    accountId: page.account_id,
    manifestId: staged.manifestId,
    sizeBytes: outlineOfPage(newPage).size_bytes,
    source: page.published_id === null ? ('edit' as const) : ('publish' as const),
    publishedId: page.published_id,
  }
}

function answerOf(newPage: NewPage, { baseUrl, origins }: InsertPagesDeps): Written {
  const { page, staged, maxViews, password, warnings } = newPage
  const outline = outlineOfPage(newPage)
  const counter = { views: 0, max_views: maxViews }
  const data = {
    ...pageObjectOf(page, { outline, counter, now: page.created_at, baseUrl }),
    ...(page.settings.access === 'password' && password !== undefined && { password }),
  }
  const ofContent = describeWarnings(staged.release.warnings, { baseUrl, origins })
  return { data, warnings: [...warnings, ...ofContent].slice(0, MAX_WARNINGS) }
}
