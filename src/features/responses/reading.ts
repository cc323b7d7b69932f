import { Download } from '../../model/download.ts'
import { refuse } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'
import { LIMITS, type Plan } from '../../model/plan.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/db/index.ts'
import { type CappedList, createCappedList } from './capped-list.ts'
import { newestFirst } from './chunks.ts'
import type { ResponseQuery, ResponseRecord, ResponseReport, Row } from './contract.ts'
import { createDigests, type Digested, type Subject } from './digests.ts'
import { createDownloads } from './downloads.ts'
import type { FormCache, Forms } from './form-cache.ts'
import {
  csvHeader,
  csvLines,
  type Digest,
  findRows,
  presentResponse,
  presentRows,
  type Split,
} from './report/index.ts'
import { chunkSize, fileName, isClosed, splitKey } from './rules.ts'
import * as store from './store.ts'

/** Of the pieces that a CSV is sent in, in characters. */
const PIECE_LENGTH = 64 * 1024

export interface ReadDeps {
  database: Database
  clock: Clock
  formCache: FormCache
  planOf(accountId: string): Promise<Plan | null>
  /** How long a download may stay unread before it ends. */
  idleTimeoutMs?: number | undefined
}

/** Everything of one call is read from one state of the database. */
interface Found {
  db: Db
  filter: store.ResponseFilter
  counter: store.Counter
  digest: Digest
  split: Split | null
}

export function createReading(deps: ReadDeps) {
  const { database, clock, formCache, planOf, idleTimeoutMs } = deps
  const digests = createDigests()
  const downloads = createDownloads({ database, idleTimeoutMs })

  async function find(db: Db, { page, forms }: About, query: Asked): Promise<Found> {
    const { controls } = forms
    const counter = await store.findCounter(db, page.id)
    const contentKey = formCache.keyOf(page)
    const subject = { page_id: page.id, counter, controls, contentKey }
    const filter = { page_id: page.id, since: query.since }
    const digested =
      query.since === undefined
        ? await digests.ofAll(db, subject)
        : await digests.ofThoseSince(db, subject, query.since)
    const key = await splitOf(db, subject, digested, query)
    const split = key === null ? null : digested.split(key)
    return { db, filter, counter, digest: digested.digest, split }
  }

  /** A list that nobody has sent `since` is no unknown key, where somebody sent it before. */
  async function splitOf(
    db: Db,
    subject: Subject,
    { digest }: Digested,
    { explode, since }: Asked,
  ): Promise<string | null> {
    const key = splitKey(explode, digest.explodable)
    if (key !== undefined) return key
    const all = since === undefined ? digest : (await digests.ofAll(db, subject)).digest
    if (all.total === 0 || all.explodable.includes(explode!)) return null
    throw unknownKey(all.explodable)
  }

  async function report(page: Page, query: ResponseQuery): Promise<ResponseReport> {
    const [forms, plan] = await Promise.all([formCache.of(page), planOf(page.account_id)])
    return database.snapshot(async (db) => {
      const found = await find(db, { page, forms }, query)
      const { digest, split, counter } = found
      const { limit, offset } = query
      const end = Math.max(digest.total, split?.row_total ?? 0)
      const { total, fields, summaries, summary_text: summaryText, explodable } = digest
      const responses = await responsesOf(found, query)
      const rows = split === null ? null : await rowsOf(found, split, query)
      // The next page begins in both at one offset: the list that was cut short sooner decides.
      const covered = Math.min(
        limit,
        ...[responses, rows].map((list) => list?.coveredOf(limit) ?? limit),
      )
      return {
        status: statusOf(page, { forms, plan: plan ?? 'free', counter }),
        ...{ total, fields, summaries, summary_text: summaryText, explodable },
        explode: split?.key ?? null,
        row_fields: split?.row_fields ?? [],
        row_summaries: split?.row_summaries ?? [],
        row_summary_text: split?.row_summary_text ?? [],
        row_total: split?.row_total ?? 0,
        responses: responses.items.slice(0, covered),
        rows: rows?.items.slice(0, covered) ?? [],
        next_offset: offset + covered < end ? offset + covered : null,
      }
    })
  }

  function statusOf(page: Page, about: { forms: Forms; plan: Plan; counter: store.Counter }) {
    const { forms, plan, counter } = about
    const closedAt = page.settings.responses_closed_at
    return {
      collecting: forms.collecting,
      closed_at: closedAt,
      closed: isClosed(closedAt, clock.now()),
      count: counter.count,
      bytes: counter.bytes,
      max_count: LIMITS[plan].responsesPerPage,
      max_bytes: LIMITS[plan].responseBytesPerPage,
    }
  }

  async function download(page: Page, query: ResponseQuery): Promise<Download> {
    const forms = await formCache.of(page)
    const chunks = await downloads.start(page.account_id, async (db) =>
      csvOf(await find(db, { page, forms }, query)),
    )
    return new Download({ filename: fileName(page), mime: 'text/csv; charset=utf-8', chunks })
  }

  return (page: Page, query: ResponseQuery): Promise<ResponseReport | Download> =>
    query.format === 'csv' ? download(page, query) : report(page, query)
}

interface About {
  page: Page
  forms: Forms
}
type Asked = Pick<ResponseQuery, 'explode' | 'since'>
type Range = Pick<ResponseQuery, 'offset' | 'limit'>

async function responsesOf(
  { db, filter, counter, digest }: Found,
  { offset, limit }: Range,
): Promise<CappedList<ResponseRecord>> {
  const list = createCappedList<ResponseRecord>()
  if (offset >= digest.total) return list
  const wanted = { chunkSize: Math.min(limit, chunkSize(counter)), first: offset, count: limit }
  for await (const chunk of newestFirst(db, filter, wanted)) {
    for (const response of chunk) {
      if (!list.add(presentResponse(response, digest), response.data.length)) return list
    }
  }
  return list
}

async function rowsOf(
  { db, filter, counter, digest }: Found,
  split: Split,
  { offset, limit }: Range,
): Promise<CappedList<Row>> {
  const list = createCappedList<Row>()
  const { first, count, skip } = findRows(split, { offset, limit })
  const wanted = { chunkSize: chunkSize(counter), first, count }
  let before = skip
  for await (const chunk of newestFirst(db, filter, wanted)) {
    for (const response of chunk) {
      const rows = presentRows(response, digest, split)
      for (const row of rows.slice(before)) {
        if (!list.add(row, row.values.text.length)) return list
      }
      before = 0
    }
  }
  return list
}

/** Lines are put together into pieces large enough to be worth sending. */
async function* csvOf({ db, filter, counter, digest, split }: Found): AsyncGenerator<string> {
  let piece = csvHeader(digest, split)
  for await (const chunk of newestFirst(db, filter, { chunkSize: chunkSize(counter) })) {
    for (const response of chunk) {
      for (const line of csvLines(response, digest, split)) {
        piece += line
        if (piece.length < PIECE_LENGTH) continue
        yield piece
        piece = ''
      }
    }
  }
  yield piece
}

function unknownKey(explodable: readonly string[]) {
  const names = explodable.map((key) => JSON.stringify(key)).join(', ')
  const these = names === '' ? 'there is none on this page: leave it out' : `name one of ${names}`
  return refuse.invalid(
    'unknown_explode_key',
    `explode names a top-level list of objects in the responses; ${these}, or none for no split.`,
    { param: 'explode' },
  )
}
