import { WrongUsage } from './output.ts'

const DURATION = /^(\d{1,4})(m|h|d|w)$/
const SECONDS: Record<string, number> = { m: 60, h: 3600, d: 86_400, w: 604_800 }
const DATE = /^\d{4}-\d\d-\d\d$/

/** `7d` in milliseconds; null if the text is no duration. */
function durationMs(text: string): number | null {
  const [, count, unit = ''] = DURATION.exec(text) ?? []
  return count === undefined ? null : Number(count) * SECONDS[unit]! * 1000
}

/** A time to come: `7d` means in seven days. A text that starts like a date is sent as it is. */
export function parseFuture(flag: string, text: string, nowMs: number): string {
  const duration = durationMs(text)
  if (duration !== null) return new Date(nowMs + duration).toISOString()
  if (/^\d{4}-/.test(text)) return text
  throw new WrongUsage(`--${flag} takes a time such as 30m, 12h, 7d or 2027-01-31T09:00:00Z.`)
}

/** A time in the past: `7d` means seven days ago, and a date means its start on this computer. */
export function parsePast(flag: string, text: string, nowMs: number): string {
  const duration = durationMs(text)
  if (duration !== null) return new Date(nowMs - duration).toISOString()
  const start = DATE.test(text) ? new Date(`${text}T00:00:00`) : null
  if (start !== null && !Number.isNaN(start.getTime())) return start.toISOString()
  if (/^\d{4}-/.test(text)) return text
  throw new WrongUsage(`--${flag} takes a time such as 30m, 2h, 1d or 2027-01-31T09:00:00Z.`)
}
