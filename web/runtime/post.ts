import { parseJson } from '../../src/model/parse-json.ts'
import type { Answer, Submission } from './submission.ts'

const TIMEOUT_MS = 30_000
/** `keepalive` allows 64 KiB, and a character can take three bytes. */
const MAX_KEEPALIVE_CHARS = 20_000

/** Posts as `text/plain`, which needs no CORS preflight: from a sandboxed page that would fail. */
export async function post(url: string, token: string, submission: Submission): Promise<Answer> {
  const body = JSON.stringify({ token, ...submission })
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      credentials: 'omit',
      keepalive: body.length < MAX_KEEPALIVE_CHARS,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      body,
    })
    const text = await response.text()
    return { status: response.status, retry_after_s: secondsOf(response), body: parseJson(text) }
  } catch {
    return { status: 0, retry_after_s: null, body: null }
  }
}

function secondsOf({ headers }: Response): number | null {
  const header = headers.get('retry-after') ?? ''
  return /^\d+$/.test(header) ? Number(header) : null
}
