import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'

/** The reports of a database about its queries. */
export interface QueryTimes {
  /** A statement has ended, or failed. @param beganMs by `performance.now()` */
  ended(statement: string, beganMs: number): void
}

export interface SlowQueryDeps {
  /** 0: nothing is slow. */
  slowMs: number
  log: Log
  metrics: Metrics
}

const MAX_CHARS = 2000

/**
 * Logs queries that took long, without the values in them. The wait for a connection does not
 * count: it has a metric.
 */
export function createSlowQueries({ slowMs, log, metrics }: SlowQueryDeps): QueryTimes | undefined {
  if (slowMs === 0) return undefined
  let count = 0
  metrics.add({
    name: 'handbill_database_slow_queries_total',
    type: 'counter',
    help: 'Queries that took longer than SLOW_QUERY_MS.',
    read: () => count,
  })
  return {
    ended(statement, beganMs) {
      const ms = performance.now() - beganMs
      if (ms < slowMs) return
      count += 1
      log.warn('slow query', { ms: Math.round(ms), statement: withoutValues(statement) })
    },
  }
}

/** Values are parameters, which the text does not have; what is quoted in it is no column. */
export function withoutValues(statement: string): string {
  const text = statement.replaceAll(/'(?:[^']|'')*'?/g, "'…'").replaceAll(/\s+/g, ' ')
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text
}
