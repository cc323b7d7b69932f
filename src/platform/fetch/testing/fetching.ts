import { expect } from 'bun:test'
import { Refusal } from '../../../model/errors.ts'
import { createGuardedFetch, type Fetched, type GuardedFetchOptions } from '../index.ts'
import { certificate } from './index.ts'
import type { Internet } from './internet.ts'

/** Never reached, even on a busy machine, by a test that is not about time. */
export const AMPLE = { dns_ms: 3000, headers_ms: 4000, total_ms: 8000 }
/** Reached on purpose. */
export const SHORT = { dns_ms: 100, headers_ms: 200, total_ms: 500 }
export const MAX_BYTES = 100_000
export const OWN_HOSTS = ['handbill.example', '*.handbill-content.example']

type Get = (url: string, max_bytes?: number) => Promise<Fetched>

export function fetching(options: Partial<GuardedFetchOptions> = {}): Get {
  const { ca } = certificate()
  const common = { allowed_hosts: [], own_hosts: OWN_HOSTS, timeouts: AMPLE, ca }
  const guarded = createGuardedFetch({ ...common, ...options })
  return (url, max_bytes = MAX_BYTES) => guarded.get(url, { max_bytes })
}

export function fetchingFrom({ resolve, transport }: Internet): Get {
  return fetching({ resolve, transport })
}

/** Everything of a refusal that reaches whoever asked. */
async function answerOf(fetched: Promise<Fetched>): Promise<unknown> {
  const outcome = await fetched.catch((error: unknown) => error)
  if (!(outcome instanceof Refusal)) return outcome
  const { kind, code, message, details } = outcome
  return { kind, code, message, details }
}

/** The one answer for everything that a prober could learn something from. */
export async function expectFailed(fetched: Promise<Fetched>): Promise<void> {
  expect(await answerOf(fetched)).toEqual({
    kind: 'invalid',
    code: 'fetch_failed',
    message:
      'The address could not be fetched. Give a public https URL that answers within 30 seconds.',
    details: undefined,
  })
}

export async function expectInvalid(fetched: Promise<Fetched>): Promise<void> {
  expect(await answerOf(fetched)).toEqual({
    kind: 'invalid',
    code: 'invalid_url',
    message: 'The address must be a complete https URL without a user name or password in it.',
    details: undefined,
  })
}

export async function expectTooLarge(fetched: Promise<Fetched>, max_bytes: number): Promise<void> {
  expect(await answerOf(fetched)).toMatchObject({
    kind: 'too_large',
    code: 'content_too_large',
    details: { max_bytes },
  })
}
