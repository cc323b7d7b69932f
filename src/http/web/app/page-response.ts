import { Refusal } from '../../../model/errors.ts'
import { STATUS } from '../../kit/json-response.ts'
import { LAYOUT_CSP } from '../../kit/layout.ts'
import { documentResponse } from '../../kit/response.ts'
import { REFERRER_POLICY } from './pages.ts'

interface PageResponseParts {
  body: string
  /** By default the policy that most pages share. */
  csp?: string
  status?: number
  cookies?: string[]
  headers?: Record<string, string>
}

/** A response with a page of the app. */
export function pageResponse(request: Request, parts: PageResponseParts): Response {
  const { body, csp = LAYOUT_CSP, status = 200, cookies = [], headers = {} } = parts
  return documentResponse(request, {
    csp,
    body,
    status,
    cookies,
    headers: { ...headers, 'referrer-policy': REFERRER_POLICY },
  })
}

interface Redirect {
  location: string
  /** `Set-Cookie` lines. */
  cookies: string[]
}

/** Redirects after a write with 303, so that a reload does not send the form again. */
export function redirectResponse({ location, cookies }: Redirect): Response {
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

/** The `Retry-After` header of a refusal that has a waiting time. */
export function retryHeaders({ details }: Refusal): Record<string, string> {
  const seconds = details?.retry_after_s
  return typeof seconds === 'number' ? { 'retry-after': String(seconds) } : {}
}

/** Whether the form can be sent again as it is, now or later. */
export function isRetryable(err: unknown): err is Refusal {
  return err instanceof Refusal && (err.code === 'stale_form' || err.code === 'rate_limited')
}
