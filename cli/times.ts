import { parseTimePast, parseTimeToCome } from '../src/model/times.ts'
import { WrongUsage } from './output.ts'

/** A time to come: `7d` means in seven days, and a date means its end in UTC. */
export function parseFuture(flag: string, text: string, nowMs: number): string {
  return parseTimeToCome(text, nowMs) ?? refuse(flag)
}

/** A time in the past: `7d` means seven days ago, and a date means its start in UTC. */
export function parsePast(flag: string, text: string, nowMs: number): string {
  return parseTimePast(text, nowMs) ?? refuse(flag)
}

function refuse(flag: string): never {
  const forms = '30m, 12h, 7d, 2027-01-31 or 2027-01-31T09:00:00Z'
  throw new WrongUsage(`--${flag} takes a time such as ${forms}.`)
}
