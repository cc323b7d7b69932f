import { refuse } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Selection } from './chunks.ts'
import type { ResponseQuery } from './contract.ts'
import type { FormCache, Forms } from './form-cache.ts'
import {
  type AnswerFilter,
  createPick,
  type PickResponse,
  type Report,
  type Split,
} from './report/index.ts'
import { createReportCache, type ReportSource } from './report-cache.ts'
import { splitKey } from './rules.ts'
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
export function createReportReader({ formCache }: { formCache: FormCache }) {
  const reports = createReportCache()

  /** If all lists since then are empty, earlier responses decide what type their items have. */
  async function newerReport(db: Db, source: ReportSource, since: string): Promise<Report> {
    const report = await reports.ofPart(db, source, { since })
    if (report.emptyLists.size === 0) return report
    return reports.ofPart(db, source, { since, all: await reports.ofAll(db, source) })
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
    const all = since === undefined ? report : await reports.ofAll(db, source)
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
    const all = await reports.ofAll(db, source)
    const whole = await findSplit(db, source, {
      report: all,
      query: { ...query, since: undefined },
    })
    assertFields(where, all, whole)
    const pick = createPick({ search: search.trim(), where }, whole)
    const report = await reports.ofPart(db, source, { since, pick, all })
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
    const source = { page_id: page.id, counter, controls, contentKey: formCache.keyOf(page) }
    const filter = { page_id: page.id, since }
    if (query.search || query.where) {
      const { pick, ...matched } = await matching(db, source, query)
      return { db, selection: { ...filter, pick }, counter, ...matched }
    }
    const report = await (since === undefined
      ? reports.ofAll(db, source)
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
  throw refuse.invalid('invalid_parameter', message, { param: 'where' })
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
