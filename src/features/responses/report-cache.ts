import { LRUCache } from 'lru-cache'
import type { FormControl } from '../../model/form.ts'
import type { Db } from '../../platform/db/index.ts'
import { oldestFirst, type Selection } from './chunks.ts'
import {
  createReportBuilder,
  type PickResponse,
  parseListTypes,
  type Report,
} from './report/index.ts'
import { chunkSize } from './rules.ts'
import type { Counter } from './store.ts'

const MAX_PAGES = 32
/**
 * Counts the bytes of the responses that a report was built from: a report is never larger than
 * those, and usually far smaller.
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

interface Entry {
  /** Identifies the state of the responses and of the HTML. */
  version: string
  report: Report
}

/**
 * Caches the report of all responses of a page until one of them changes, which the counter's
 * revision shows. `db` is the snapshot that the counter was read from, so that the revision and the
 * responses always agree.
 */
export function createReportCache() {
  const entries = new LRUCache<string, Entry>({ max: MAX_PAGES, maxSize: MAX_SOURCE_BYTES })
  const pending = new Map<string, Promise<Report>>()

  /** Concurrent requests for the same report share one computation. */
  function buildOnce(db: Db, source: ReportSource, version: string): Promise<Report> {
    const key = `${source.page_id} ${version}`
    const started = pending.get(key)
    if (started !== undefined) return started
    const report = buildReport(db, source).finally(() => pending.delete(key))
    pending.set(key, report)
    return report
  }

  return {
    async ofAll(db: Db, source: ReportSource): Promise<Report> {
      const { page_id: pageId, counter, contentKey } = source
      const version = `${counter.revision} ${contentKey}`
      const cached = entries.get(pageId)
      if (cached?.version === version) return cached.report
      const report = await buildOnce(db, source, version)
      entries.set(pageId, { version, report }, { size: Math.max(1, counter.bytes) })
      return report
    },
    /** Not cached: `since` differs from request to request, and so do filters. */
    ofPart: (db: Db, source: ReportSource, part: Part) => buildReport(db, source, part),
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

  async function build(mixedLists?: ReadonlySet<string>): Promise<Report> {
    const builder = createReportBuilder(source.controls, { typeElsewhere, mixedLists })
    for await (const chunk of oldestFirst(db, selection, chunkSize(source.counter))) {
      for (const response of chunk) builder.add(response)
    }
    return builder.build()
  }
  // Counting objects takes longer than all the rest, and few reports need it.
  const report = await build()
  return report.undercounted.size === 0 ? report : build(report.undercounted)
}
