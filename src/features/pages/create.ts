import { idempotencyKeyReused } from '../../model/errors.ts'
import type { Subjects } from '../../model/operation.ts'
import { openTo } from '../../model/page/facts.ts'
import {
  DEFAULT_SETTINGS,
  type Page,
  type PageSettings,
  settingWarnings,
} from '../../model/page/index.ts'
import type { PageObject } from '../../model/page/page-object.ts'
import type { Tx } from '../../platform/db/index.ts'
import { newId, newSlug } from '../../platform/ids.ts'
import type { PreparedAgreement } from '../agreements/index.ts'
import {
  type Arrived,
  describeWarnings,
  firstWarnings,
  outlineOf,
  type Release,
  type Staged,
  titleIn,
  type Warning,
} from '../content/index.ts'
import { authorOf, retryTaken } from './changes.ts'
import type { CreateInput } from './contract.ts'
import { assertSlugFree, type PageDeps, passwordOf, sealPassword } from './parts.ts'
import { pageObjectOf, type Written } from './present.ts'
import {
  allowedByPlan,
  assertFallback,
  assertPasswordCloses,
  assertPlanAllows,
  cleanTitle,
  mergeSettings,
  newPassword,
  titleWith,
} from './rules.ts'
import * as store from './store.ts'

type CreateRequest = Subjects['account']

/** A page that is ready to be stored. */
interface NewPage {
  request: CreateRequest
  /** With the title that the request gives, or null. */
  page: Page
  /** Whether the request names the slug. Another is random, and nobody had it before. */
  hasOwnSlug: boolean
  /** A title that is not given, to be numbered where it is taken; null where none is needed. */
  derivedTitle: string | null
  staged: Staged & { release: Release }
  maxViews: number | null
  password: string | null
  agreement: PreparedAgreement | null
  /** About its settings. */
  warnings: readonly Warning[]
}

/** Creates a page. A retry with the same `Idempotency-Key` is answered as the first was. */
export async function createPage(
  deps: PageDeps,
  request: CreateRequest,
  input: CreateInput,
): Promise<Written> {
  const make = (): Promise<Written | PageObject> => create(deps, request, input)
  const answer = await answerOnce(deps, request, make)
  // Version 0.1 stored the page alone for a retry.
  const { data, warnings } = 'warnings' in answer ? answer : { data: answer, warnings: [] }
  // The stored answer may be older than an upgrade that added members.
  return { data: withAddedMembers(data), warnings }
}

async function create(deps: PageDeps, request: CreateRequest, input: CreateInput) {
  const { account } = request
  assertPlanAllows(account, input)
  const settings = mergeSettings(DEFAULT_SETTINGS, input)
  assertPasswordCloses(settings, input)
  const source = await deps.importContent.arrive(account, input, request.context)
  const newPage = await deps.content
    .holdMemory(source.sizeBytes, () => prepare(deps, request, { input, settings, source }))
    .finally(source.close)
  return insertNew(deps, newPage)
}

/** Stores a new page. Where its title is from content, it gets a number while it is taken. */
function insertNew(deps: PageDeps, newPage: NewPage): Promise<Written> {
  const insert = () => deps.database.write((tx) => insertPage(tx, newPage, deps))
  // On PostgreSQL another write may take a derived title between the choice and the insert.
  return newPage.derivedTitle === null ? insert() : retryTaken(['duplicate_title'], insert)
}

/** With the members that the answer of a new page did not have in earlier versions. */
function withAddedMembers(members: PageObject): PageObject {
  const laterMembers = {
    state: members.is_published ? 'live' : 'draft',
    closed_by: null,
    taken_down_at: null,
    taken_down_reason: null,
    trashed_at: null,
    needs_origin: [],
  }
  const page = { ...DEFAULT_SETTINGS, ...laterMembers, ...members }
  return { ...page, open_to: openTo(page) }
}

/** What every new page has, until something is done with it. */
const NEW_PAGE = {
  access_epoch: 1,
  taken_down_at: null,
  taken_down_reason: null,
  trashed_at: null,
  trashed_published_id: null,
  suspended_at: null,
  revision: 1,
  title: null,
} satisfies Partial<Page>

type NewPageValues = Pick<
  Page,
  'account_id' | 'settings' | 'source' | 'draft_id' | 'published_id'
> &
  Partial<Page>

/** @param values may name more than they have to; its slug is random otherwise */
export function buildPage(deps: PageDeps, password: string | null, values: NewPageValues): Page {
  const { clock } = deps
  const now = clock.now()
  const { id = newId('pg', clock.ms()), slug = newSlug(), published_id } = values
  const times = { created_at: now, updated_at: now, published_at: published_id && now }
  const password_sealed = password === null ? null : sealPassword(deps, id, password)
  return { ...NEW_PAGE, ...times, password_sealed, ...values, id, slug }
}

/** Reads and checks the content of the request. Stores only blobs that are too large for a row. */
async function prepare(
  deps: PageDeps,
  request: CreateRequest,
  { input, settings, source }: { input: CreateInput; settings: PageSettings; source: Arrived },
): Promise<NewPage> {
  const { content, importContent, agreements } = deps
  const { account, context } = request
  const imported = await importContent(account, input, source)
  assertFallback(input, imported.manifest.files)
  const staged = await content.storeRelease(imported)
  const agreement = input.agreement ? await agreements.prepare(account, input.agreement) : null
  const title = input.title ?? null
  const password = input.password ?? (settings.access === 'password' ? newPassword() : null)
  const page = buildPage(deps, password, {
    account_id: account.id,
    ...(input.slug !== undefined && { slug: input.slug }),
    ...{ title, settings, source: context.source, draft_id: staged.manifestId },
    published_id: input.publish ? staged.manifestId : null,
  })
  const derivedTitle = title === null ? cleanTitle(titleIn(staged) ?? input.filename ?? null) : null
  const maxViews = input.max_views ?? null
  const hasOwnSlug = input.slug !== undefined
  const { files, file_name } = staged.manifest
  const isMarked = settings.watermark && file_name !== null
  const bytes = staged.newBlobs.get(files[0]!.hash)
  const isMarkable = !isMarked || (await deps.isMarkable(files[0]!, bytes))
  const warnings = settingWarnings(settings, input, file_name !== null, isMarkable)
  const more = { maxViews, password, agreement, warnings }
  return { request, page, hasOwnSlug, derivedTitle, staged, ...more }
}

/**
 * Stores a new page with all that belongs to it. The page first: transactions lock in one order.
 *
 * @throws Refusal `slug_taken`, `duplicate_title`
 */
async function insertPage(tx: Tx, newPage: NewPage, deps: PageDeps): Promise<Written> {
  const { request, derivedTitle, staged, maxViews } = newPage
  const { id, account_id } = newPage.page
  const title = derivedTitle && (await store.freeTitle(tx, account_id, derivedTitle))
  const page = title === null ? newPage.page : { ...newPage.page, title }
  const { agreement } = newPage
  if (agreement !== null) page.settings.agreement = deps.agreements.first(agreement)
  const outline = outlineOf(staged.manifest, staged.release.needs_origin)
  await store.insertPage(tx, page)
  if (newPage.hasOwnSlug) await assertSlugFree(tx, deps, page)
  if (agreement !== null) await deps.agreements.save(tx, page, agreement)
  await deps.content.save(tx, staged)
  const limits = { max_views: maxViews, closes_at: page.settings.expires_at }
  await deps.views.createCounter(tx, { page_id: id, account_id, ...limits })
  await deps.versions.saveFirst(tx, {
    ...{ page, content: staged, author: authorOf(request.context) },
    source: page.published_id === null ? 'edit' : 'publish',
  })
  const counter = { views: 0, max_views: maxViews }
  const facts = { outline, counter, now: page.created_at, baseUrl: deps.baseUrl }
  const { password } = newPage
  const data = {
    ...pageObjectOf(page, facts),
    ...(page.settings.access === 'password' && password !== null && { password }),
  }
  const ofContent = describeWarnings(staged.release.warnings, deps)
  const answer = { data, warnings: firstWarnings([...newPage.warnings, ...ofContent]) }
  await storeAnswer(tx, deps, { ...request, answer })
  return answer
}

const STORED_MS = 24 * 60 * 60 * 1000

/** Runs `create` unless its answer is stored. Of two concurrent calls, only one creates. */
async function answerOnce<T>(
  { database, clock, secrets }: PageDeps,
  { account: { id }, context: { idempotency } }: CreateRequest,
  create: () => Promise<T>,
): Promise<T> {
  if (idempotency === null) return create()
  const { key, fingerprint } = idempotency
  async function storedAnswer(): Promise<T | undefined> {
    const row = await store.findIdempotencyKey(database.read, [id, key])
    if (row === undefined || row.created_at < clock.after(-STORED_MS)) return undefined
    if (row.fingerprint !== fingerprint) throw idempotencyKeyReused()
    return JSON.parse(secrets.open('idempotency', `${id} ${key}`, row.answer_sealed))
  }
  const answer = await storedAnswer()
  if (answer !== undefined) return answer
  try {
    return await create()
  } catch (err) {
    // The same request may have created the page meanwhile: its title is then taken.
    const other = await storedAnswer()
    if (other !== undefined) return other
    throw err
  }
}

/** Stores the answer of a request with a key for 24 hours, in the transaction of its effect. */
async function storeAnswer(
  tx: Tx,
  { clock, secrets }: PageDeps,
  { account, context, answer }: CreateRequest & { answer: Written },
): Promise<void> {
  if (context.idempotency === null) return
  const { key, fingerprint } = context.idempotency
  // Sealed: the answer may hold the page's password.
  const sealed = secrets.seal('idempotency', `${account.id} ${key}`, JSON.stringify(answer))
  const created = { answer_sealed: sealed, created_at: clock.now() }
  await store.deleteIdempotencyKeys(tx, [clock.after(-STORED_MS)])
  await store.insertIdempotencyKeys(tx, [{ account_id: account.id, key, fingerprint, ...created }])
}

/**
 * A new draft with the content of a page's draft and its settings, also who may open it. What
 * people have sent stays with the first page, and what the plan does not have any more is left out.
 * The copy of a page that was taken down is so as well: it would open the page again.
 */
export async function duplicate(deps: PageDeps, subject: Subjects['owner']): Promise<Written> {
  const { content, views, agreements } = deps
  const { account, context, page } = subject
  const { taken_down_at, taken_down_reason } = page
  const staged = await content.stageStored(page.draft_id)
  const password = passwordOf(deps, page)
  const stored = { ...page.settings, max_views: (await views.limitOf(page.id)) ?? null }
  const { allowed, warnings } = allowedByPlan(account, stored)
  const { max_views: maxViews, ...settings } = allowed
  const copy = buildPage(deps, password, {
    account_id: page.account_id,
    settings: { ...settings, responses_closed_at: null },
    source: context.source,
    draft_id: page.draft_id,
    published_id: null,
    ...{ taken_down_at, taken_down_reason },
  })
  return insertNew(deps, {
    request: { account, context: { ...context, idempotency: null } },
    page: copy,
    hasOwnSlug: false,
    derivedTitle: page.title && titleWith(page.title, ' (copy)'),
    ...{ staged, maxViews, password, warnings },
    agreement: settings.agreement && (await agreements.current(page)),
  })
}
