import { expect } from 'bun:test'
import { createPasswordGuard, createThrottles } from '../features/throttles/index.ts'
import { Refusal } from '../model/errors.ts'
import { createClock } from '../platform/clock.ts'
import type { TestApp } from './app.ts'

export const PAGE = 'pg_1'
export const client = (n: number) => `10.${n >> 8}.${n & 255}.1`

/** A clock that only the test moves: a pause is short. */
export const time = { ms: 0 }
const clock = createClock(() => time.ms)

export function guardOf({ database }: Pick<TestApp, 'database'>) {
  return createPasswordGuard(createThrottles({ database, clock, isOn: true }))
}
type Guard = ReturnType<typeof guardOf>

/** Tries once. @returns the seconds to wait, 0 for a try that is compared */
export async function waitOf(guard: Guard, address: string, page = PAGE): Promise<number> {
  try {
    await guard.count({ page_id: page, address })
    return 0
  } catch (err) {
    if (!(err instanceof Refusal)) throw err
    return Number(err.details?.retry_after_s)
  }
}
/** Wrong passwords, each from an address of its own. */
export async function guess(guards: Guard[], from: number, to: number): Promise<void> {
  for (let n = from; n < to; n++)
    expect(await waitOf(guards[n % guards.length]!, client(n))).toBe(0)
}
