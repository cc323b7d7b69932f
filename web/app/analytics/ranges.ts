const DAY_MS = 24 * 60 * 60 * 1000

export const RANGES = {
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  all: 'All time',
} as const
export type Range = keyof typeof RANGES
const DEFAULT_RANGE: Range = '30d'

const DAYS = { '7d': 7, '30d': 30, '90d': 90 }

export function parseRange(text: string | null): Range {
  return text !== null && Object.hasOwn(RANGES, text) ? (text as Range) : DEFAULT_RANGE
}

/** What to ask for. Days are those of the reader's time zone, today included. */
export function queryOf(range: Range, { now, tz }: { now: number; tz: string }) {
  if (range === 'all') return { interval: 'day' as const, tz }
  if (range === '24h') {
    const from = new Date(Math.floor(now / 3_600_000) * 3_600_000 - 23 * 3_600_000)
    return { interval: 'hour' as const, tz, from: from.toISOString() }
  }
  return { interval: 'day' as const, tz, from: firstDay(DAYS[range], { now, tz }) }
}

/** The first of some days up to today in the time zone: `2026-11-21`. */
export function firstDay(days: number, { now, tz }: { now: number; tz: string }): string {
  const style = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  // By its parts: browsers do not agree on how a locale writes a date.
  const parts = new Intl.DateTimeFormat('en', { timeZone: tz, ...style }).formatToParts(
    now - (days - 1) * DAY_MS,
  )
  const partOf = (name: string) => parts.find(({ type }) => type === name)!.value
  return ['year', 'month', 'day'].map(partOf).join('-')
}

export function readersZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}
