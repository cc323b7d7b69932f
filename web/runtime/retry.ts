import { type Refused, refused } from './refused.ts'
import type { Answer, Receipt, Send, Submission } from './submission.ts'

const MAX_TRIES = 4
const FIRST_WAIT_MS = 400
const MAX_WAIT_S = 30
/** Statuses that a later try may not meet; 0 is no answer at all. */
const PASSING = new Set([0, 429, 502, 503, 504])

/** Larger data is not sent at all: the server would refuse it. */
const MAX_BYTES = 256 * 1024

/** Sends until there is an answer that counts. Rejects with a `Refused`. */
export async function deliver(send: Send, submission: Submission): Promise<Receipt> {
  if (new TextEncoder().encode(submission.data).length > MAX_BYTES) throw failureOf(TOO_LARGE)
  for (let tried = 1; ; tried++) {
    const answer = await send(submission)
    const receipt = receiptOf(answer)
    if (receipt !== null) return receipt
    const waitMs = tried < MAX_TRIES ? waitAfter(answer, tried) : null
    if (waitMs === null) throw failureOf(answer)
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

/** Exponential backoff with jitter, or what the server asks for; null: not tried again. */
function waitAfter({ status, retry_after_s: retryAfterS }: Answer, tried: number): number | null {
  if (!PASSING.has(status) || (status === 0 && !navigator.onLine)) return null
  const growingMs = FIRST_WAIT_MS * 2 ** (tried - 1)
  if (retryAfterS === null) return growingMs * (1 + Math.random())
  return retryAfterS <= MAX_WAIT_S ? retryAfterS * 1000 + FIRST_WAIT_MS * Math.random() : null
}

function receiptOf({ status, body }: Answer): Receipt | null {
  const { data } = (body ?? {}) as { data?: Receipt }
  if (status !== 200 || !data) return null
  const { id, submitted_at: submittedAt, submit_count: submitCount } = data
  return { id, submitted_at: submittedAt, submit_count: submitCount }
}

function failureOf({ status, body }: Answer): Refused {
  const { error } = (body ?? {}) as { error?: { code: unknown; message: unknown } }
  if (PASSING.has(status) && status !== 429) return refused('offline', OFFLINE)
  if (error) return refused(String(error.code), String(error.message))
  const [code, message] = PLAIN[status] ?? ['failed', 'This could not be sent. Try again later.']
  return refused(code, message)
}

const TOO_LARGE: Answer = { status: 413, retry_after_s: null, body: null }
const OFFLINE = 'This could not be sent. Check the connection and send again.'
const PLAIN: Record<number, [code: string, message: string]> = {
  413: ['too_large', 'This is more than one response can hold: 256 KB.'],
  429: ['rate_limited', 'Too many were sent at once. Wait a minute and send again.'],
}
