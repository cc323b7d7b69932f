import type { Metrics } from '../../metrics.ts'

export type AttemptResult = 'ok' | 'retried' | 'failed'

/** Counts requests to the object store by how they ended: `retried` ones are tried again. */
export function countAttempts(metrics?: Metrics) {
  const counts: Record<AttemptResult, number> = { ok: 0, retried: 0, failed: 0 }
  metrics?.add({
    name: 'handbill_s3_requests_total',
    type: 'counter',
    help: 'Requests to the object store, by how they ended. A retried one is followed by another.',
    read: () => Object.entries(counts).map(([result, value]) => ({ labels: { result }, value })),
  })
  return {
    ended(result: AttemptResult): void {
      counts[result] += 1
    },
  }
}
