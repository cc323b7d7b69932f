import type { Account } from '../../model/account.ts'
import type { Caller } from '../../model/operation.ts'
import { DEFAULT_SETTINGS, type Page, type PageObject } from '../../model/page/index.ts'
import { isUniqueViolation } from '../../platform/db/errors.ts'
import type { Tx } from '../../platform/db/index.ts'
import { newId, newSlug } from '../../platform/ids.ts'
import { type Intake, outlineOf, titleIn } from '../content/index.ts'
import type { CreateInput } from './contract.ts'
import { createIdempotency } from './idempotency.ts'
import { presentPage } from './present.ts'
import { type PageMachines, type Records, throwTaken } from './records.ts'
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

export function createCreation(machines: PageMachines, records: Records, intake: Intake) {
  const { database, clock, content, versions, views, base_url } = machines
  const idempotency = createIdempotency(machines)

  async function create(account: Account, input: CreateInput, caller: Caller): Promise<PageObject> {
    assertPlanAllows(account, input)
    const settings = mergeSettings(DEFAULT_SETTINGS, input)
    const taken = await intake.take(account, input)
    const staged = input.publish ? await content.prepare(taken) : taken
    await content.putLarge(staged)
    const own_title = input.title ?? null
    const derived = own_title === null ? cleanTitle(titleIn(staged)) : null
    const now = clock.now()
    const id = newId('pg', clock.ms())
    const password = input.password ?? (settings.access === 'password' ? newPassword() : undefined)
    const page: Page = {
      id,
      account_id: account.id,
      slug: input.slug ?? newSlug(),
      title: own_title,
      settings,
      password_sealed: password === undefined ? null : records.passwords.seal(id, password),
      access_epoch: 1,
      source: caller.source,
      draft_id: staged.manifest_id,
      published_id: input.publish ? staged.manifest_id : null,
      published_at: input.publish ? now : null,
      revision: 1,
      created_at: now,
      updated_at: now,
    }
    const outline = outlineOf(staged.manifest)
    const counter = { views: 0, max_views: input.max_views ?? null }

    return withFreeTitle(derived !== null, async (tx) => {
      const title = own_title ?? (derived && (await freeTitle(tx, account, derived)))
      const made = { ...page, title }
      await content.save(tx, staged)
      await store.insertPage(tx, made)
      await views.begin(tx, id, counter.max_views)
      await versions.save(tx, {
        page_id: id,
        manifest_id: staged.manifest_id,
        size_bytes: outline.size_bytes,
        source: input.publish ? 'publish' : 'edit',
        live_id: made.published_id,
      })
      const shown = settings.access === 'password' ? password : undefined
      const answer = presentPage(made, outline, counter, { base_url, password: shown })
      await idempotency.remember(tx, account, caller, answer)
      return answer
    })
  }

  async function freeTitle(tx: Tx, account: Account, title: string): Promise<string> {
    const n = await firstFree((n) => store.isTitleTaken(tx, account.id, nthTitle(title, n)))
    return nthTitle(title, n)
  }

  /** On PostgreSQL another write may take a derived title between the look and the insert. */
  async function withFreeTitle<T>(
    is_derived: boolean,
    write: (tx: Tx) => Promise<T>,
    attempts = TITLE_ATTEMPTS,
  ): Promise<T> {
    try {
      return await database.write(write)
    } catch (err) {
      const is_taken = is_derived && isUniqueViolation(err, 'pages.title')
      if (!is_taken || attempts === 1) return throwTaken(err)
      return withFreeTitle(is_derived, write, attempts - 1)
    }
  }

  return (account: Account, input: CreateInput, caller: Caller): Promise<PageObject> =>
    idempotency.once(account, caller, () => create(account, input, caller))
}
