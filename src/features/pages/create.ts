import { Refusal } from '../../model/errors.ts'
import type { Subjects } from '../../model/operation.ts'
import { DEFAULT_SETTINGS, type Page, type PageObject } from '../../model/page/index.ts'
import type { Tx } from '../../platform/db/index.ts'
import { newId, newSlug } from '../../platform/ids.ts'
import {
  describeWarnings,
  type OriginSupport,
  outlineOf,
  type Release,
  type Staged,
  titleIn,
} from '../content/index.ts'
import type { CreateInput } from './contract.ts'
import type { Idempotency } from './idempotency.ts'
import type { NewPageDeps } from './import-page.ts'
import { pageObjectOf, type Written } from './present.ts'
import {
  assertFallback,
  assertPlanAllows,
  cleanTitle,
  firstFree,
  mergeSettings,
  newPassword,
  nthTitle,
} from './rules.ts'
import * as store from './store.ts'

/**
 * How often another number is chosen for a title from content after another write took it. Each
 * write that takes one is done, so this is also how many such writes may run at the same time.
 */
const TITLE_ATTEMPTS = 100

type CreateRequest = Subjects['account']

/** A page that is ready to be stored. */
interface NewPage {
  /** With the title that the request gives, or null. */
  page: Page
  /** The title in the content, to be numbered where it is taken; null where none is needed. */
  derivedTitle: string | null
  staged: Staged & { release: Release }
  maxViews: number | null
  password: string | undefined
}

export interface CreatePageDeps extends NewPageDeps {
  idempotency: Idempotency
  baseUrl: string
  origins: OriginSupport
}

export function createCreatePage(deps: CreatePageDeps) {
  async function create(request: CreateRequest, input: CreateInput): Promise<Written> {
    const sizeBytes = await deps.importContent.uploadedBytes(request.account, input)
    const newPage = await deps.content.holdMemory(sizeBytes, () => prepare(deps, request, input))
    for (let attempt = 1; ; attempt++) {
      try {
        return await deps.database.write((tx) => insert(deps, tx, { request, newPage }))
      } catch (err) {
        // On PostgreSQL another write may take a derived title between the choice and the insert.
        const mayRetry = newPage.derivedTitle !== null && attempt < TITLE_ATTEMPTS
        if (!mayRetry || !isDuplicateTitle(err)) throw err
      }
    }
  }

  return async (request: CreateRequest, input: CreateInput): Promise<Written> => {
    const make = (): Promise<Written | PageObject> => create(request, input)
    const answer = await deps.idempotency.once(request, make)
    // Version 0.1 stored the page alone for a retry.
    const written = 'warnings' in answer ? answer : { data: answer, warnings: [] }
    // The answer may be from before an upgrade that added members.
    return {
      ...written,
      data: { ...DEFAULT_SETTINGS, ...addedMembers(written.data), ...written.data },
    }
  }
}

/** Members that the answer of a new page did not have in version 0.1. */
function addedMembers({ is_published: isPublished }: PageObject) {
  const state: PageObject['state'] = isPublished ? 'live' : 'draft'
  const needsOrigin: PageObject['needs_origin'] = []
  return {
    state,
    closed_by: null,
    taken_down_at: null,
    taken_down_reason: null,
    needs_origin: needsOrigin,
  }
}

/** Reads and checks all that the request holds. Stores only blobs that are too large for a row. */
async function prepare(
  { clock, content, importContent, passwords }: CreatePageDeps,
  { account, context }: CreateRequest,
  input: CreateInput,
): Promise<NewPage> {
  assertPlanAllows(account, input)
  const settings = mergeSettings(DEFAULT_SETTINGS, input)
  const imported = await importContent(account, input)
  assertFallback(input, imported.manifest.files)
  const staged = await content.prepareRelease(imported)
  await content.putLarge(staged)
  const title = input.title ?? null
  const now = clock.now()
  const id = newId('pg', clock.ms())
  const password = input.password ?? (settings.access === 'password' ? newPassword() : undefined)
  const page: Page = {
    id,
    account_id: account.id,
    slug: input.slug ?? newSlug(),
    title,
    settings,
    password_sealed: password === undefined ? null : passwords.seal(id, password),
    access_epoch: 1,
    source: context.source,
    draft_id: staged.manifestId,
    published_id: input.publish ? staged.manifestId : null,
    published_at: input.publish ? now : null,
    taken_down_at: null,
    taken_down_reason: null,
    revision: 1,
    created_at: now,
    updated_at: now,
  }
  const derivedTitle = title === null ? cleanTitle(titleIn(staged)) : null
  return { page, derivedTitle, staged, maxViews: input.max_views ?? null, password }
}

/** Stores the page with all that belongs to it. @returns the answer */
async function insert(
  { content, versions, views, idempotency, baseUrl, origins }: CreatePageDeps,
  tx: Tx,
  { request, newPage }: { request: CreateRequest; newPage: NewPage },
): Promise<Written> {
  const { derivedTitle, staged, maxViews, password } = newPage
  const title = derivedTitle && (await freeTitle(tx, newPage.page.account_id, derivedTitle))
  const page = { ...newPage.page, ...(title !== null && { title }) }
  const outline = outlineOf(staged.manifest, staged.release.needs_origin)
  await content.save(tx, staged)
  await store.insertPage(tx, page)
  await views.createCounter(tx, page, maxViews)
  await versions.save(tx, {
    pageId: page.id,
    manifestId: staged.manifestId,
    sizeBytes: outline.size_bytes,
    source: page.published_id === null ? 'edit' : 'publish',
    publishedId: page.published_id,
  })
  const counter = { views: 0, max_views: maxViews }
  const data = {
    ...pageObjectOf(page, { outline, counter, now: page.created_at, baseUrl }),
    ...(page.settings.access === 'password' && password !== undefined && { password }),
  }
  const answer = {
    data,
    warnings: describeWarnings(staged.release.warnings, { baseUrl, origins }),
  }
  await idempotency.storeAnswer(tx, request, answer)
  return answer
}

async function freeTitle(tx: Tx, accountId: string, title: string): Promise<string> {
  const n = await firstFree((n) => store.isTitleTaken(tx, accountId, nthTitle(title, n)))
  return nthTitle(title, n)
}

function isDuplicateTitle(err: unknown): boolean {
  return err instanceof Refusal && err.code === 'duplicate_title'
}
