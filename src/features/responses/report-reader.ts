import { LRUCache } from 'lru-cache'
import { refuse } from '../../model/errors.ts'
import type { FormControl } from '../../model/form.ts'
import type { Page } from '../../model/page/index.ts'
import type { Db } from '../../platform/db/index.ts'
import { readChunks, type Selection } from './chunks.ts'
import type { ResponseQuery } from './contract.ts'
import {
  type AnswerFilter,
  createPick,
  createReportBuilder,
  type PickResponse,
  parseListTypes,
  type Report,
  type Split,
} from './report/index.ts'
import { chunkSize, type Forms, splitKey } from './rules.ts'
import type { Counter } from './store.ts'
import * as store from './store.ts'

/** The report of the responses that match a query, and how to read these responses. */
export interface MatchedResponses {
  /** The snapshot from which everything in the answer is read. */
  db: Db
  selection: Selection
  counter: store.Counter
  report: Report
  split: Split | null
}

type ReportQuery = Pick<ResponseQuery, 'explode' | 'since' | 'search' | 'where'>

/** Reads reports, from a cache where possible. */
export function createReportReader() {
  const reportOfAll = createReportCache()

  /** If all lists since then are empty, earlier responses decide what type their items have. */
  async function newerReport(db: Db, source: ReportSource, since: string): Promise<Report> {
    const report = await buildReport(db, source, { since })
    if (report.emptyLists.size === 0) return report
    return buildReport(db, source, { since, all: await reportOfAll(db, source) })
  }

  async function findSplit(
    db: Db,
    source: ReportSource,
    { report, query }: { report: Report; query: ReportQuery },
  ): Promise<Split | null> {
    const { explode, since } = query
    const key = splitKey(explode, report.explodable)
    if (key !== undefined) return key === null ? null : report.split(key)
    // A list that only older responses have is a known key, but has nothing to split.
    const all = since === undefined ? report : await reportOfAll(db, source)
    const isList = all.explodable.includes(explode!) || all.emptyLists.has(explode!)
    if (all.total === 0 || isList) return null
    throw unknownKey(all.explodable)
  }

  /** The filter with the field names of the report of all responses. */
  async function matching(
    db: Db,
    source: ReportSource,
    query: ReportQuery,
  ): Promise<Pick<MatchedResponses, 'report' | 'split'> & { pick: PickResponse }> {
    const { since, search = '', where = new Map() } = query
    const all = await reportOfAll(db, source)
    const whole = await findSplit(db, source, {
      report: all,
      query: { ...query, since: undefined },
    })
    assertFields(where, all, whole)
    const pick = createPick({ search: search.trim(), where }, whole)
    const report = await buildReport(db, source, { since, pick, all })
    const isSplit = whole !== null && report.explodable.includes(whole.key)
    return { pick, report, split: isSplit ? report.split(whole.key) : null }
  }

  /** @throws Refusal `unknown_explode_key`, `invalid_parameter` in `where` */
  return async function readReport(
    db: Db,
    { page, forms }: { page: Page; forms: Forms },
    query: ReportQuery,
  ): Promise<MatchedResponses> {
    const { since } = query
    const counter = await store.findCounter(db, page.id)
    const { controls } = forms
    const contentKey = page.published_id ?? `draft ${page.draft_id}`
    const source = { page_id: page.id, counter, controls, contentKey }
    const filter = { page_id: page.id, since }
    if (query.search || query.where) {
      const { pick, ...matched } = await matching(db, source, query)
      return { db, selection: { ...filter, pick }, counter, ...matched }
    }
    const report = await (since === undefined
      ? reportOfAll(db, source)
      : newerReport(db, source, since))
    const split = await findSplit(db, source, { report, query })
    return { db, selection: filter, counter, report, split }
  }
}

/** @throws Refusal `invalid_parameter` where no response has a field */
function assertFields(where: AnswerFilter['where'], all: Report, split: Split | null): void {
  if (all.total === 0) return
  const fields = split?.row_fields ?? all.fields
  const unknown = [...where.keys()].find((key) => !fields.some((field) => field.key === key))
  if (unknown === undefined) return
  const message = `No response has a field ${JSON.stringify(unknown)}: where names those in fields.`
  throw refuse.invalidParameter('where', message)
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

const MAX_REPORTS = 32
/**
 * Counts the bytes of the responses that a report was built from: a report is usually far smaller,
 * and takes 4 MB where it has the most fields.
 */
const MAX_SOURCE_BYTES = 256 * 1024 * 1024

/** The input of a report. */
export interface ReportSource {
  page_id: string
  counter: Counter
  /** The controls in the page's HTML. */
  controls: readonly FormControl[]
  /** Identifies that HTML. */
  contentKey: string
}

/**
 * Caches the newest report of all responses of a page, with the counter's revision, which shows
 * whether one of them has changed. `db` is the snapshot that the counter was read from, so that the
 * revision and the responses always agree. Concurrent requests for the same report share one
 * computation. Reports of a part are not cached: `since` and filters differ from request to
 * request.
 */
export function createReportCache() {
  const reports = new LRUCache<string, { version: string; report: Promise<Report> }>({
    max: MAX_REPORTS,
    maxSize: MAX_SOURCE_BYTES,
  })

  return (db: Db, source: ReportSource): Promise<Report> => {
    const { page_id, counter, contentKey } = source
    const version = `${counter.revision} ${contentKey}`
    const cached = reports.get(page_id)
    if (cached?.version === version) return cached.report
    const report = buildReport(db, source)
    report.catch(() => reports.delete(page_id))
    reports.set(page_id, { version, report }, { size: Math.max(1, counter.bytes) })
    return report
  }
}

interface Part {
  since?: string | undefined
  pick?: PickResponse | undefined
  /** The report of all responses: it has the types of fields that have no value in this part. */
  all?: Report
}

async function buildReport(
  db: Db,
  source: ReportSource,
  { since, pick, all }: Part = {},
): Promise<Report> {
  const selection: Selection = { page_id: source.page_id, since, pick }
  const listTypes = parseListTypes(source.counter.list_types)
  const typeElsewhere = (key: string) =>
    all?.fields[all.fieldIndexes.get(key) ?? -1]?.type ?? listTypes.get(key)

  const builder = createReportBuilder(source.controls, typeElsewhere)
  const range = { order: 'asc', chunkSize: chunkSize(source.counter) } as const
  for await (const chunk of readChunks(db, selection, range)) {
    for (const response of chunk) builder.add(response)
  }
  return builder.build()
}
