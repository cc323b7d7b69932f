import type { Account } from '../../model/account.ts'
import type { RequestContext } from '../../model/operation.ts'
import { DEFAULT_SETTINGS, type Page, type PageObject } from '../../model/page/index.ts'
import { isUniqueViolation } from '../../platform/db/errors.ts'
import type { Tx } from '../../platform/db/index.ts'
import { newId, newSlug } from '../../platform/ids.ts'
import { type ImportContent, outlineOf, titleIn } from '../content/index.ts'
import type { CreateInput } from './contract.ts'
import { createIdempotency } from './idempotency.ts'
import { presentPage } from './present.ts'
import { type PageDeps, type Records, throwTaken } from './records.ts'
import {
  assertPlanAllows,
  cleanTitle,
  firstFree,
  mergeSettings,
  newPassword,
  nthTitle,
} from './rules.ts'
import * as store from './store.ts'

/**
 * How often a title taken from content is chosen anew when another write took it meanwhile. Each
 * time one of those at work has got its own, so this is how many may be at work at once.
 */
const TITLE_ATTEMPTS = 100

export function createCreation(deps: PageDeps, records: Records, importContent: ImportContent) {
  const { database, clock, content, versions, views, baseUrl } = deps
  const idempotency = createIdempotency(deps)

  async function create(
    account: Account,
    input: CreateInput,
    context: RequestContext,
  ): Promise<PageObject> {
    assertPlanAllows(account, input)
    const settings = mergeSettings(DEFAULT_SETTINGS, input)
    const imported = await importContent(account, input)
    const staged = input.publish ? await content.prepareRelease(imported) : imported
    await content.putLarge(staged)
    const ownTitle = input.title ?? null
    const derived = ownTitle === null ? cleanTitle(titleIn(staged)) : null
    const now = clock.now()
    const id = newId('pg', clock.ms())
    const password = input.password ?? (settings.access === 'password' ? newPassword() : undefined)
    const page: Page = {
      id,
      account_id: account.id,
      slug: input.slug ?? newSlug(),
      title: ownTitle,
      settings,
      password_sealed: password === undefined ? null : records.passwords.seal(id, password),
      access_epoch: 1,
      source: context.source,
      draft_id: staged.manifestId,
      published_id: input.publish ? staged.manifestId : null,
      published_at: input.publish ? now : null,
      revision: 1,
      created_at: now,
      updated_at: now,
    }
    const outline = outlineOf(staged.manifest)
    const counter = { views: 0, max_views: input.max_views ?? null }

    return withFreeTitle(derived !== null, async (tx) => {
      const title = ownTitle ?? (derived && (await freeTitle(tx, account, derived)))
      const made = { ...page, title }
      await content.save(tx, staged)
      await store.insertPage(tx, made)
      await views.createCounter(tx, id, counter.max_views)
      await versions.save(tx, {
        pageId: id,
        manifestId: staged.manifestId,
        sizeBytes: outline.size_bytes,
        source: input.publish ? 'publish' : 'edit',
        publishedId: made.published_id,
      })
      const shown = settings.access === 'password' ? password : undefined
      const answer = presentPage(made, outline, counter, { baseUrl, password: shown })
      await idempotency.remember(tx, account, context, answer)
      return answer
    })
  }

  async function freeTitle(tx: Tx, account: Account, title: string): Promise<string> {
    const n = await firstFree((n) => store.isTitleTaken(tx, account.id, nthTitle(title, n)))
    return nthTitle(title, n)
  }

  /** On PostgreSQL another write may take a derived title between the look and the insert. */
  async function withFreeTitle<T>(
    isDerived: boolean,
    write: (tx: Tx) => Promise<T>,
    attempts = TITLE_ATTEMPTS,
  ): Promise<T> {
    try {
      return await database.write(write)
    } catch (err) {
      const isTaken = isDerived && isUniqueViolation(err, 'pages.title')
      if (!isTaken || attempts === 1) return throwTaken(err)
      return withFreeTitle(isDerived, write, attempts - 1)
    }
  }

  return (account: Account, input: CreateInput, context: RequestContext): Promise<PageObject> =>
    idempotency.once(account, context, () => create(account, input, context))
}
