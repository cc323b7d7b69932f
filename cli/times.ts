import { parseTimePast, parseTimeToCome } from '../src/model/times.ts'
import { type FlagValue, textOf } from './command.ts'
import { WrongUsage } from './output.ts'

/** A time to come: `7d` means in seven days, and a date means its end in UTC. */
export function parseFuture(name: string, flag: FlagValue, nowMs = Date.now()) {
  const text = textOf(flag)
  return text === undefined ? undefined : (parseTimeToCome(text, nowMs) ?? refuse(name))
}

/** A time in the past: `7d` means seven days ago, and a date means its start in UTC. */
export function parsePast(name: string, flag: FlagValue) {
  const text = textOf(flag)
  return text === undefined ? undefined : (parseTimePast(text, Date.now()) ?? refuse(name))
}

function refuse(name: string): never {
  const forms = '30m, 12h, 7d, 2027-01-31 or 2027-01-31T09:00:00Z'
  throw new WrongUsage(`--${name} takes a time such as ${forms}.`)
}
