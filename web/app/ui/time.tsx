import { useIsHydrated, useNow } from '../account.ts'

const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
/** Until the reader’s language and time zone are known. */
const ANYONES_DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' })
/** Each unit in seconds, up to the next one. */
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const
const WEEK_S = 7 * 86_400

/** `3 hours ago` up to a week, then the day. */
export function relativeTime(timestamp: string, now: number, day = DAY): string {
  const seconds = Math.round((Date.parse(timestamp) - now) / 1000)
  const size = Math.abs(seconds)
  if (size >= WEEK_S) return day.format(new Date(timestamp))
  const unit = UNITS.find(([, unitSeconds]) => size >= unitSeconds)
  if (unit) return RELATIVE.format(Math.round(seconds / unit[1]), unit[0])
  return seconds <= 0 ? 'just now' : 'in a moment'
}

export function exactTime(timestamp: string): string {
  return EXACT.format(new Date(timestamp))
}

interface LastUseProps {
  at: string | null
  /** What stands before the time; what stands alone where there is none. */
  words?: [used: string, unused: string]
}

export function LastUse({ at, words: [used, unused] = ['last used', 'never used'] }: LastUseProps) {
  if (at === null) return unused
  return (
    <>
      {used} <Time at={at} />
    </>
  )
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
