import { useIsHydrated, useNow } from '../account.ts'

const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
/** Until the reader’s language and time zone are known. */
const ANYONES_DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' })
const MINUTE_S = 60
const HOUR_S = 60 * MINUTE_S
const DAY_S = 24 * HOUR_S

/** `3 hours ago` up to a week, then the day. */
export function relativeTime(timestamp: string, now: number, day = DAY): string {
  const seconds = Math.round((Date.parse(timestamp) - now) / 1000)
  const size = Math.abs(seconds)
  if (size < MINUTE_S) return seconds <= 0 ? 'just now' : 'in a moment'
  if (size < HOUR_S) return RELATIVE.format(Math.round(seconds / MINUTE_S), 'minute')
  if (size < DAY_S) return RELATIVE.format(Math.round(seconds / HOUR_S), 'hour')
  if (size < 7 * DAY_S) return RELATIVE.format(Math.round(seconds / DAY_S), 'day')
  return day.format(new Date(timestamp))
}

export function exactTime(timestamp: string): string {
  return EXACT.format(new Date(timestamp))
}

/** A relative time, with the exact one on hover. */
export function Time({ at }: { at: string }) {
  const isHydrated = useIsHydrated()
  return (
    <time dateTime={at} title={isHydrated ? exactTime(at) : undefined}>
      {relativeTime(at, useNow(), isHydrated ? DAY : ANYONES_DAY)}
    </time>
  )
}
