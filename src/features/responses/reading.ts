import { Download } from '../../model/download.ts'
import { refuse } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'
import { LIMITS, type Plan } from '../../model/plan.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/db/index.ts'
import { newestFirst } from './chunks.ts'
import type { ResponseQuery, ResponseRecord, ResponseReport, Row } from './contract.ts'
import { createDigests, type Digested, type Subject } from './digests.ts'
import { hold, impatient } from './held.ts'
import { createPart, type Part } from './parts.ts'
import type { Forms, Published } from './published.ts'
import {
  csvHeader,
  csvLines,
  type Digest,
  findRows,
  presentResponse,
  presentRows,
  type Split,
} from './report/index.ts'
import { chunkOf, fileName, isClosed, splitKey } from './rules.ts'
import { createSlots } from './slots.ts'
import * as store from './store.ts'

/** Each holds a state of the whole database while it lasts. */
const DOWNLOADS_AT_ONCE = { in_all: 6, of_one: 4 }
const PAUSE_MS = 60_000
/** However steadily it is read. */
const DOWNLOAD_MS = 15 * 60_000
const PIECE_LENGTH = 64 * 1024

export interface ReadMachines {
  database: Database
  clock: Clock
  published: Published
  planOf(account_id: string): Promise<Plan | null>
  /** How long who downloads may pause. */
  pause_ms?: number
}

/** Everything of one call is read from one state of the database. */
interface Found {
  db: Db
  matched: store.Matched
  counter: store.Counter
  digest: Digest
  split: Split | null
}

export function createReading(machines: ReadMachines) {
  const { database, clock, published, planOf, pause_ms = PAUSE_MS } = machines
  const digests = createDigests()
  const downloads = createSlots(DOWNLOADS_AT_ONCE)

  async function find(db: Db, { page, forms }: About, query: Asked): Promise<Found> {
    const { controls } = forms
    const counter = await store.findCounter(db, page.id)
    const content_key = published.keyOf(page)
    const subject = { page_id: page.id, counter, controls, content_key }
    const matched = { page_id: page.id, since: query.since }
    const digested =
      query.since === undefined
        ? await digests.ofAll(db, subject)
        : await digests.ofThoseSince(db, subject, query.since)
    const key = await splitOf(db, subject, digested, query)
    const split = key === null ? null : digested.split(key)
    return { db, matched, counter, digest: digested.digest, split }
  }

  /** What nobody has sent lately is unknown only if nobody has ever sent it. */
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
    const [forms, plan] = await Promise.all([published.of(page), planOf(page.account_id)])
    return database.snapshot(async (db) => {
      const found = await find(db, { page, forms }, query)
      const { digest, split, counter } = found
      const { limit, offset } = query
      const end = Math.max(digest.total, split?.row_total ?? 0)
      const { total, fields, summaries, summary_text, explodable } = digest
      const responses = await responsesOf(found, query)
      const rows = split === null ? null : await rowsOf(found, split, query)
      // One place to go on from: what of the two came less far decides.
      const told = Math.min(limit, ...[responses, rows].map((part) => part?.toldOf(limit) ?? limit))
      return {
        status: statusOf(page, { forms, plan: plan ?? 'free', counter }),
        ...{ total, fields, summaries, summary_text, explodable },
        explode: split?.key ?? null,
        row_fields: split?.row_fields ?? [],
        row_summaries: split?.row_summaries ?? [],
        row_summary_text: split?.row_summary_text ?? [],
        row_total: split?.row_total ?? 0,
        responses: responses.items.slice(0, told),
        rows: rows?.items.slice(0, told) ?? [],
        next_offset: offset + told < end ? offset + told : null,
      }
    })
  }

  function statusOf(page: Page, about: { forms: Forms; plan: Plan; counter: store.Counter }) {
    const { forms, plan, counter } = about
    const closed_at = page.settings.responses_closed_at
    return {
      collecting: forms.collecting,
      closed_at,
      closed: isClosed(closed_at, clock.now()),
      count: counter.count,
      bytes: counter.bytes,
      max_count: LIMITS[plan].responses_per_page,
      max_bytes: LIMITS[plan].response_bytes_per_page,
    }
  }

  async function download(page: Page, query: ResponseQuery): Promise<Download> {
    const forms = await published.of(page)
    const giveBack = downloads.take(page.account_id)
    if (giveBack === null) throw tooManyDownloads()
    const held = await hold(database).catch((err) => {
      giveBack()
      throw err
    })
    function end(): void {
      giveBack!()
      held.release()
    }
    try {
      const found = await find(held.db, { page, forms }, query)
      return new Download({
        filename: fileName(page),
        mime: 'text/csv; charset=utf-8',
        chunks: impatient(csvOf(found), { pause_ms, whole_ms: DOWNLOAD_MS, end }),
      })
    } catch (err) {
      end()
      throw err
    }
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
  { db, matched, counter, digest }: Found,
  { offset, limit }: Range,
): Promise<Part<ResponseRecord>> {
  const part = createPart<ResponseRecord>()
  if (offset >= digest.total) return part
  const wanted = { at_once: Math.min(limit, chunkOf(counter)), first: offset, count: limit }
  for await (const chunk of newestFirst(db, matched, wanted)) {
    for (const response of chunk) {
      if (!part.add(presentResponse(response, digest), response.data.length)) return part
    }
  }
  return part
}

async function rowsOf(
  { db, matched, counter, digest }: Found,
  split: Split,
  { offset, limit }: Range,
): Promise<Part<Row>> {
  const part = createPart<Row>()
  const { first, count, skip } = findRows(split, { offset, limit })
  const wanted = { at_once: chunkOf(counter), first, count }
  let before = skip
  for await (const chunk of newestFirst(db, matched, wanted)) {
    for (const response of chunk) {
      const rows = presentRows(response, digest, split)
      for (const row of rows.slice(before)) {
        if (!part.add(row, row.values.text.length)) return part
      }
      before = 0
    }
  }
  return part
}

/** In pieces that are worth sending. */
async function* csvOf({ db, matched, counter, digest, split }: Found): AsyncGenerator<string> {
  let piece = csvHeader(digest, split)
  for await (const chunk of newestFirst(db, matched, { at_once: chunkOf(counter) })) {
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

function tooManyDownloads() {
  return refuse.rateLimited(
    'rate_limited',
    'Other downloads are under way just now: try again in a minute.',
    { retry_after_s: PAUSE_MS / 1000 },
  )
}
