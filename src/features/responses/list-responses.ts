import { Download } from '../../model/download.ts'
import { refuse } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'
import { DEFAULT_PLANS, type Limits } from '../../model/plan.ts'
import type { Database, Db } from '../../platform/db/index.ts'
import { takeTurn } from '../../platform/promises.ts'
import { withTimeouts } from '../../platform/read-timeouts.ts'
import type { Services } from '../../platform/services.ts'
import { createLimiter } from '../../platform/task-queue.ts'
import { readChunks } from './chunks.ts'
import type { ResponseQuery, ResponseRecord, ResponseReport, Row } from './contract.ts'
import { csvHeader, csvLines, findRows, presentResponse, presentRows } from './report/index.ts'
import { createReportReader, type MatchedResponses } from './report-reader.ts'
import { chunkSize, type Forms, fileName, isClosed } from './rules.ts'

/** How many characters of a CSV file are sent at once. */
const PIECE_LENGTH = 64 * 1024

interface ListDeps extends Pick<Services, 'database' | 'clock'> {
  formsOf(page: Page): Promise<Forms>
  limitsOf(accountId: string): Promise<Limits | null>
  idleTimeoutMs?: number | undefined
}

export function createListResponses(deps: ListDeps) {
  const { database, clock, formsOf, limitsOf, idleTimeoutMs } = deps
  const readReport = createReportReader()
  const startDownload = createDownloads(database, idleTimeoutMs)

  async function jsonReport(page: Page, query: ResponseQuery): Promise<ResponseReport> {
    const [forms, limits] = await Promise.all([formsOf(page), limitsOf(page.account_id)])
    // A page of a report takes some milliseconds, and several may be asked for at once.
    await takeTurn()
    return database.snapshot(async (db) => {
      const matched = await readReport(db, { page, forms }, query)
      const { count, bytes } = matched.counter
      const closed_at = page.settings.responses_closed_at
      const most = limits ?? NO_ACCOUNT
      const status = {
        collecting: forms.collecting,
        ...{ closed_at, closed: isClosed(closed_at, clock.now()), count, bytes },
        max_count: most.responses_per_page,
        max_bytes: most.response_bytes_per_page,
      }
      return { status, ...(await answerPage(matched, query)) }
    })
  }

  async function csvDownload(page: Page, query: ResponseQuery): Promise<Download> {
    const forms = await formsOf(page)
    const chunks = await startDownload(page.account_id, async (db) =>
      csvPieces(await readReport(db, { page, forms }, query)),
    )
    return new Download({ filename: fileName(page), mime: 'text/csv; charset=utf-8', chunks })
  }

  return (page: Page, query: ResponseQuery): Promise<ResponseReport | Download> =>
    query.format === 'csv' ? csvDownload(page, query) : jsonReport(page, query)
}

/** Its account is being deleted. */
const NO_ACCOUNT = DEFAULT_PLANS.free.limits

type Range = Pick<ResponseQuery, 'offset' | 'limit'>

/** The report, with one page of responses and one page of rows. */
async function answerPage(
  matched: MatchedResponses,
  { offset, limit }: Range,
): Promise<Omit<ResponseReport, 'status'>> {
  const { report, split } = matched
  const { total, fields, summaries, summary_text, explodable } = report
  const responses = await listPage(matched, { offset, limit })
  const rows = await listRows(matched, { offset, limit })
  // Both lists continue at the same offset, so the one that was cut short sooner decides.
  const covered = Math.min(responses.coveredOf(limit), rows.coveredOf(limit))
  const end = Math.max(total, split?.row_total ?? 0)
  return {
    ...{ total, fields, summaries, summary_text, explodable },
    explode: split?.key ?? null,
    row_fields: split?.row_fields ?? [],
    row_summaries: split?.row_summaries ?? [],
    row_summary_text: split?.row_summary_text ?? [],
    row_total: split?.row_total ?? 0,
    responses: responses.items.slice(0, covered),
    rows: rows.items.slice(0, covered),
    next_offset: offset + covered < end ? offset + covered : null,
  }
}

async function listPage(
  { db, selection, counter, report }: MatchedResponses,
  { offset, limit }: Range,
): Promise<CappedList<ResponseRecord>> {
  const list = createCappedList<ResponseRecord>()
  if (offset >= report.total) return list
  const range = { chunkSize: chunkSize(counter), first: offset, count: limit }
  for await (const chunk of readChunks(db, selection, range)) {
    for (const response of chunk) {
      if (!list.add(presentResponse(response, report), response.data.length)) return list
    }
  }
  return list
}

async function listRows(
  { db, selection, counter, report, split }: MatchedResponses,
  { offset, limit }: Range,
): Promise<CappedList<Row>> {
  const list = createCappedList<Row>()
  if (split === null) return list
  const { first, count, skip } = findRows(split, { offset, limit })
  let skipInResponse = skip
  const range = { chunkSize: chunkSize(counter), first, count }
  for await (const chunk of readChunks(db, selection, range)) {
    for (const response of chunk) {
      const rows = presentRows(response, report, split)
      for (const row of rows.slice(skipInResponse)) {
        if (!list.add(row, row.values.text.length)) return list
      }
      skipInResponse = 0
    }
  }
  return list
}

/** Joins CSV lines into pieces of at least `PIECE_LENGTH`: sending each line alone is slow. */
async function* csvPieces(matched: MatchedResponses): AsyncGenerator<string> {
  const { db, selection, counter, report, split } = matched
  let piece = csvHeader(report, split)
  for await (const chunk of readChunks(db, selection, { chunkSize: chunkSize(counter) })) {
    for (const response of chunk) {
      for (const line of csvLines(response, report, split)) {
        piece += line
        if (piece.length < PIECE_LENGTH) continue
        yield piece
        piece = ''
      }
    }
  }
  yield piece
}

/** In characters, for responses and for rows each. A longer answer is slow to build and read. */
const MAX_LENGTH = 8 * 1024 * 1024

/** The first items of a list, as many as fit into one answer: the first, whatever its length. */
function createCappedList<T>() {
  const items: T[] = []
  let remaining = MAX_LENGTH
  return {
    items,
    /** @returns whether there is space for another item */
    add(item: T, length: number): boolean {
      items.push(item)
      remaining -= length
      return remaining > 0
    },
    /** How many of the `limit` requested items the list covers: all, unless it was cut short. */
    coveredOf: (limit: number) => (remaining > 0 ? limit : items.length),
  }
}
type CappedList<T> = ReturnType<typeof createCappedList<T>>

const IDLE_TIMEOUT_MS = 60_000
const tooManyDownloads = () =>
  refuse.rateLimited(
    'rate_limited',
    'Other downloads are under way just now: try again in a minute.',
    { retry_after_s: IDLE_TIMEOUT_MS / 1000 },
  )
/** Each download keeps a snapshot of the whole database open. */
const MAX_DOWNLOADS = {
  total: { most: 6, refusal: tooManyDownloads },
  perAccount: { most: 4, refusal: tooManyDownloads },
}
/** Ends a download even if its client reads steadily. */
const TOTAL_TIMEOUT_MS = 15 * 60_000

/**
 * Returns a function that streams a download from one snapshot of the database, which stays open
 * until the download ends. `read` returns its chunks.
 *
 * @throws Refusal `rate_limited` if too many downloads are running
 */
function createDownloads(database: Database, idleTimeoutMs = IDLE_TIMEOUT_MS) {
  const limiter = createLimiter(MAX_DOWNLOADS)

  return async (accountId: string, read: (db: Db) => Promise<AsyncGenerator<string>>) => {
    const leaveLimiter = limiter.start(accountId)
    const { promise: opened, resolve, reject } = Promise.withResolvers<Db>()
    const { promise: closed, resolve: close } = Promise.withResolvers<void>()
    const release = () => {
      leaveLimiter()
      close()
    }
    try {
      const reading = database.snapshot((db) => {
        resolve(db)
        return closed
      })
      reading.catch(reject)
      const chunks = await read(await opened)
      return withTimeouts(chunks, { idleTimeoutMs, totalTimeoutMs: TOTAL_TIMEOUT_MS, release })
    } catch (err) {
      release()
      throw err
    }
  }
}
