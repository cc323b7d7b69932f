import { refuse } from '../../model/errors.ts'
import type { FormControl } from '../../model/form.ts'
import type { Page } from '../../model/page/index.ts'
import type { Limits } from '../../model/plan.ts'
import type { Viewer } from '../../model/viewer.ts'
import { isForeignKeyViolation } from '../../platform/db/errors.ts'
import type { Services } from '../../platform/services.ts'
import type { RecordEvent } from '../events/index.ts'
import type { FormCache } from './form-cache.ts'
import { type JsonValue, listTypesIn, validateSubmission } from './report/index.ts'
import { hasSubmission, isClosed, type Submission, submissionRow } from './rules.ts'
import {
  type PreparedSubmission,
  type Receipt,
  saveResponse,
  WriteConflict,
} from './save-response.ts'
import * as store from './store.ts'

/** An attempt fails only if another submission of the same viewer was stored meanwhile. */
const MAX_ATTEMPTS = 20
const SUBMISSION_ID = /^[\w-]{8,64}$/
const MAX_PATH_LENGTH = 1024

interface SubmitDeps extends Pick<Services, 'database' | 'clock' | 'space'> {
  formCache: FormCache
  limitsOf(accountId: string): Promise<Limits | null>
  recordEvent: RecordEvent
}

export function createSubmit(deps: SubmitDeps) {
  const { database, clock, formCache, limitsOf, recordEvent, space } = deps
  async function prepare(
    page: Page,
    viewer: Viewer,
    submission: Submission,
  ): Promise<PreparedSubmission> {
    const parsed = parseSubmission(submission)
    const limits = await limitsOf(page.account_id)
    if (limits === null) throw gone()
    const controls: readonly FormControl[] =
      submission.controls.length === 0 ? [] : (await formCache.of(page)).controls
    const row = submissionRow(submission, parsed, controls)
    const listTypes = listTypesIn(parsed)
    return { page, viewer, submissionId: submission.id, row, limits, listTypes }
  }

  async function repeatedReceipt(
    page: Page,
    viewer: Viewer,
    submissionId: string,
  ): Promise<Receipt | null> {
    const previous = await store.findByViewer(database.read, [page.id, viewer.key])
    return previous && hasSubmission(previous.submissions, submissionId) ? previous : null
  }

  return async function submit(
    page: Page,
    viewer: Viewer,
    submission: Submission,
  ): Promise<Receipt> {
    if (isClosed(page.settings.responses_closed_at, clock.now())) {
      const receipt = await repeatedReceipt(page, viewer, submission.id)
      if (receipt === null) throw closed()
      return pickReceipt(receipt)
    }
    const prepared = await prepare(page, viewer, submission)
    space.assertFits(prepared.row.size_bytes)
    const attempt = () => database.write((tx) => saveResponse(tx, prepared, { clock, recordEvent }))
    return pickReceipt(await retryConflicts(attempt).catch(throwGone))
  }
}

async function retryConflicts<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (err) {
      if (!(err instanceof WriteConflict) || attempt === MAX_ATTEMPTS) throw err
    }
  }
}

function pickReceipt(receipt: Receipt): Receipt {
  const { id, submitted_at, submit_count } = receipt
  return { id, submitted_at, submit_count }
}

function parseSubmission({ id, data, path }: Submission): Record<string, JsonValue> {
  const isPath = path.isWellFormed() && !path.includes('\0') && path.length <= MAX_PATH_LENGTH
  if (!SUBMISSION_ID.test(id) || !isPath) {
    const param = isPath ? 'id' : 'path'
    throw refuse.invalid('invalid_data', 'This form sent something that cannot be read.', { param })
  }
  validateSubmission(data)
  return JSON.parse(data)
}

function closed() {
  return refuse.conflict('closed', 'This page no longer takes responses.')
}
function gone() {
  return refuse.notFound('gone', 'This page is no longer there.')
}
/** The page was deleted during the transaction. */
function throwGone(err: unknown): never {
  throw isForeignKeyViolation(err) ? gone() : err
}
