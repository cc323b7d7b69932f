import { expect } from 'bun:test'
import { Refusal } from '../../../model/errors.ts'
import {
  createGuardedFetch,
  type Fetched,
  type GuardedFetch,
  type GuardedFetchOptions,
} from '../index.ts'
import { certificate, newTemporaryFiles } from './index.ts'
import type { Internet } from './internet.ts'

/** Limits that tests about other things never reach, even when the host is busy. */
export const AMPLE = { dnsMs: 3000, headersMs: 4000, totalMs: 8000 }
/** Limits that tests about time reach. */
export const SHORT = { dnsMs: 100, headersMs: 200, totalMs: 500 }
export const MAX_BYTES = 100_000
export const OWN_HOSTS = ['handbill.example', '*.handbill-content.example']

/** What was fetched, read and closed. */
export type FetchedBytes = Omit<Fetched, 'read' | 'close'> & { bytes: Uint8Array }

type Get = (url: string, maxBytes?: number) => Promise<FetchedBytes>

export function newGuardedFetch(options: Partial<GuardedFetchOptions> = {}): GuardedFetch {
  const { ca } = certificate()
  const temporaryFiles = newTemporaryFiles()
  const common = { allowedHosts: [], ownHosts: OWN_HOSTS, timeouts: AMPLE, ca, temporaryFiles }
  return createGuardedFetch({ ...common, ...options })
}

export function createFetch(options: Partial<GuardedFetchOptions> = {}): Get {
  const guarded = newGuardedFetch(options)
  return async (url, maxBytes = MAX_BYTES) => {
    // Each for another account, of which few fetches run at once.
    const accountId = crypto.randomUUID()
    const { read, close, ...fetched } = await guarded.get(url, { maxBytes, accountId })
    const bytes = await read()
    await close()
    return { ...fetched, bytes }
  }
}

export function fetchFrom({ resolve, transport }: Internet): Get {
  return createFetch({ resolve, transport })
}

/** What the caller sees of a refusal. */
async function refusalOf(fetched: Promise<unknown>): Promise<unknown> {
  const outcome = await fetched.catch((error: unknown) => error)
  if (!(outcome instanceof Refusal)) return outcome
  const { kind, code, message, details } = outcome
  return { kind, code, message, details }
}

/** The refusal that is the same for every failure an attacker could learn from. */
export async function expectFailed(fetched: Promise<unknown>): Promise<void> {
  expect(await refusalOf(fetched)).toEqual({
    kind: 'invalid',
    code: 'fetch_failed',
    message:
      'The address could not be fetched. Give a public https URL that answers within 10 seconds.',
    details: undefined,
  })
}

export async function expectInvalid(fetched: Promise<unknown>): Promise<void> {
  expect(await refusalOf(fetched)).toEqual({
    kind: 'invalid',
    code: 'invalid_url',
    message: 'The address must be a complete https URL without a user name or password in it.',
    details: undefined,
  })
}

export async function expectTooLarge(fetched: Promise<unknown>, maxBytes: number): Promise<void> {
  expect(await refusalOf(fetched)).toMatchObject({
    kind: 'tooLarge',
    code: 'content_too_large',
    details: { limit: maxBytes },
  })
}
