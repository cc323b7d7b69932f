import { exactTime, relativeTime } from '../../time-words.ts'
import { useIsHydrated, useNow } from '../account.ts'

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
/** Until the reader’s language and time zone are known. */
const ANYONES_DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
const WEEK_MS = 7 * 86_400_000

interface TimeProps {
  at: string | null
  /** What stands before it. */
  words?: string
  /** What stands alone where there is no time. */
  none?: string
}

/** `3 hours ago` up to a week, then the day, with the exact time on hover. */
export function Time({ at, words, none }: TimeProps) {
  const isHydrated = useIsHydrated()
  const now = useNow()
  if (at === null) return none
  const day = isHydrated ? DAY : ANYONES_DAY
  const isNear = Math.abs(Date.parse(at) - now) < WEEK_MS
  return (
    <>
      {words && `${words} `}
      <time dateTime={at} title={isHydrated ? exactTime(at) : undefined}>
        {isNear ? relativeTime(at, now) : day.format(new Date(at))}
      </time>
    </>
  )
}
