import { refuse } from '../../model/errors.ts'
import type { FormControl } from '../../model/form.ts'
import type { Page } from '../../model/page/index.ts'
import { LIMITS, type Plan } from '../../model/plan.ts'
import { type Clock, timestampOf } from '../../platform/clock.ts'
import { isForeignKeyViolation } from '../../platform/db/errors.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids.ts'
import type { RecordEvent } from '../events/index.ts'
import type { FormCache } from './form-cache.ts'
import { assertSendable } from './report/index.ts'
import {
  isClosed,
  isKnownSubmission,
  type Kept,
  keptOf,
  type Submission,
  withSubmission,
} from './rules.ts'
import * as store from './store.ts'

/** Each fails only because another submission of the same viewer came first, and was kept. */
const MAX_ATTEMPTS = 20
const SUBMISSION_ID = /^[\w-]{8,64}$/
const MAX_PATH_LENGTH = 1024

/** Who responds: one response each. */
export interface Viewer {
  /** Means nothing on other pages. */
  key: string
  /** A confirmed address, or an alias. */
  respondent: string
}

export interface Receipt {
  id: string
  submitted_at: string
  submit_count: number
}

export interface SubmitDeps {
  database: Database
  clock: Clock
  formCache: FormCache
  /** Of the account now; null where it is gone. */
  planOf(accountId: string): Promise<Plan | null>
  /** Runs in the transaction that stores the response. */
  recordEvent: RecordEvent
}

interface Prepared {
  page: Page
  viewer: Viewer
  submissionId: string
  kept: Kept
  plan: Plan
}

export function createSubmit(deps: SubmitDeps) {
  const { database, clock, formCache, planOf, recordEvent } = deps

  async function prepare(page: Page, viewer: Viewer, submission: Submission): Promise<Prepared> {
    const parsed = assertSubmission(submission)
    const plan = await planOf(page.account_id)
    if (plan === null) throw gone()
    const controls: readonly FormControl[] =
      submission.controls.length === 0 ? [] : (await formCache.of(page)).controls
    const kept = keptOf(submission, parsed, controls)
    return { page, viewer, submissionId: submission.id, kept, plan }
  }

  /** In one transaction. @throws Overtaken where the viewer's response is not what was read */
  async function keep(tx: Tx, prepared: Prepared): Promise<Receipt> {
    const { page, viewer, submissionId, kept } = prepared
    const own = await store.findOwn(tx, page.id, viewer.key)
    if (own !== undefined && isKnownSubmission(own.submissions, submissionId)) return own
    const submittedAt = await reserveQuota(tx, prepared, own)
    const receipt =
      own === undefined
        ? await insertFirst(tx, prepared, submittedAt)
        : await replace(tx, own, { kept, submissionId, submitted_at: submittedAt })
    await recordEvent(tx, {
      kind: 'response',
      pageId: page.id,
      count: 1,
      notifyOwner: page.settings.notify_on_response,
      respondent: viewer.respondent,
      isFirst: own === undefined,
    })
    return receipt
  }

  async function reserveQuota(tx: Tx, { page, viewer, kept, plan }: Prepared, own?: store.Own) {
    const { responsesPerPage: maxCount, responseBytesPerPage: maxBytes } = LIMITS[plan]
    const asked: store.Reservation = {
      page_id: page.id,
      count: own === undefined ? 1 : 0,
      bytes: kept.size_bytes - (own?.size_bytes ?? 0),
      nowUs: Math.floor(clock.ms() * 1000),
      max_count: maxCount,
      max_bytes: maxBytes,
    }
    const taken = await store.reserveQuota(tx, asked)
    if (taken !== undefined) return timestampOf(taken)
    await store.beginCounter(tx, page.id)
    const takenFirst = await store.reserveQuota(tx, asked)
    if (takenFirst !== undefined) return timestampOf(takenFirst)
    // Another submission of this very viewer may have taken the last of it.
    if ((await store.findOwn(tx, page.id, viewer.key)) !== undefined) throw new Overtaken()
    throw full()
  }

  async function insertFirst(tx: Tx, prepared: Prepared, submittedAt: string): Promise<Receipt> {
    const { page, viewer, submissionId, kept } = prepared
    const id = newId('rsp', clock.ms())
    const { key, respondent } = viewer
    const row = { id, page_id: page.id, viewer: key, respondent, submissions: submissionId }
    if (!(await store.insertFirst(tx, { ...kept, ...row, submitted_at: submittedAt })))
      throw new Overtaken()
    return { id, submitted_at: submittedAt, submit_count: 1 }
  }

  async function replace(
    tx: Tx,
    own: store.Own,
    next: { kept: Kept; submissionId: string; submitted_at: string },
  ): Promise<Receipt> {
    const { kept, submissionId, submitted_at: submittedAt } = next
    const submissions = withSubmission(own.submissions, submissionId)
    if (!(await store.replace(tx, own, { ...kept, submissions, submitted_at: submittedAt }))) {
      throw new Overtaken()
    }
    return { id: own.id, submitted_at: submittedAt, submit_count: own.submit_count + 1 }
  }

  return async (page: Page, viewer: Viewer, submission: Submission): Promise<Receipt> => {
    if (isClosed(page.settings.responses_closed_at, clock.now())) {
      const own = await store.findOwn(database.read, page.id, viewer.key)
      if (own === undefined || !isKnownSubmission(own.submissions, submission.id)) throw closed()
      return receiptOf(own)
    }
    const prepared = await prepare(page, viewer, submission)
    const attempt = () => database.write((tx) => keep(tx, prepared))
    return receiptOf(await retryOvertaken(attempt).catch(throwGone))
  }
}

/** Nothing was written: the viewer's response changed after it was read. */
class Overtaken extends Error {}

async function retryOvertaken<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act()
    } catch (err) {
      if (!(err instanceof Overtaken) || attempt === MAX_ATTEMPTS) throw err
    }
  }
}

function receiptOf({ id, submitted_at: submittedAt, submit_count: submitCount }: Receipt): Receipt {
  return { id, submitted_at: submittedAt, submit_count: submitCount }
}

function assertSubmission({ id, data, path }: Submission): Record<string, unknown> {
  const isPath = path.isWellFormed() && !path.includes('\0') && path.length <= MAX_PATH_LENGTH
  if (!SUBMISSION_ID.test(id) || !isPath) {
    throw refuse.invalid('invalid_data', 'This form sent something that cannot be read.')
  }
  assertSendable(data)
  return JSON.parse(data)
}

function closed() {
  return refuse.conflict('closed', 'This page no longer takes responses.')
}
function full() {
  return refuse.conflict('full', 'This page holds as many responses as it can: tell its owner.')
}
function gone() {
  return refuse.notFound('gone', 'This page is no longer there.')
}
function throwGone(err: unknown): never {
  throw isForeignKeyViolation(err) ? gone() : err
}
