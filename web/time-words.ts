const UNITS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

// Made once: a format takes longer to make than the comment around it.
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** `5 minutes ago`, `in 2 days`; `just now` within a minute. */
export function relativeTime(iso: string, nowMs: number): string {
  const seconds = (Date.parse(iso) - nowMs) / 1000
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? []
  if (unit === undefined || size === undefined) return seconds > 0 ? 'in a moment' : 'just now'
  return relative.format(Math.trunc(seconds / size), unit)
}

export function exactTime(iso: string): string {
  return exact.format(new Date(iso))
}
