import { Refusal } from '../../../model/errors.ts'
import type { ConfirmationOutcome } from '../../kit/confirmation-actions.ts'
import { documentHeaders } from '../../kit/headers.ts'
import { STATUS } from '../../kit/json-response.ts'
import { LAYOUT_CSP } from '../../kit/layout.ts'
import { REFERRER_POLICY } from './pages.ts'

interface Extra {
  status?: number
  cookies?: string[]
  headers?: Record<string, string>
}

/** A page of the app: never stored, never framed, its address told to nobody. */
export function answer(body: string, { status = 200, cookies = [], headers = {} }: Extra = {}) {
  const all = new Headers({ ...documentHeaders(LAYOUT_CSP), ...headers })
  all.set('referrer-policy', REFERRER_POLICY)
  for (const cookie of cookies) all.append('set-cookie', cookie)
  return new Response(body, { status, headers: all })
}

/** After a write: what was posted is not posted again by going back. */
export function goOn({ location, cookies }: ConfirmationOutcome): Response {
  const headers = new Headers({
    location,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}

export function statusOf({ kind }: Refusal): number {
  return STATUS[kind]
}

/** For `Extra.headers`, where there is something to wait for. */
export function waitOf({ details }: Refusal): Record<string, string> {
  const seconds = details?.retry_after_s
  return typeof seconds === 'number' ? { 'retry-after': String(seconds) } : {}
}

export function isRefusal(err: unknown, code?: string): err is Refusal {
  return err instanceof Refusal && (code === undefined || err.code === code)
}
