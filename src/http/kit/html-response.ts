import { documentHeaders } from './headers.ts'

export interface HtmlResponseOptions {
  csp: string
  status?: number
  /** `Set-Cookie` lines. */
  cookies?: readonly string[]
  /** Headers that are added to those of `documentHeaders`, or replace them. */
  headers?: Record<string, string>
}

/** A response with one of our own HTML documents. */
export function htmlResponse(
  body: string | null,
  { csp, status = 200, cookies = [], headers = {} }: HtmlResponseOptions,
): Response {
  const response = new Response(body, { status, headers: documentHeaders(csp) })
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}
