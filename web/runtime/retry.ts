import type { Answer, Receipt, Send, Submission } from './submission.ts'
import { type SubmitError, submitError, UNREACHABLE } from './submit-error.ts'

const MAX_ATTEMPTS = 4
/** All attempts together end before the stub says that there is no answer. */
const FIRST_WAIT_MS = 250
const MAX_WAIT_S = 30
/** Statuses that are worth another attempt; 0 is no answer. */
const TEMPORARY = new Set([0, 429, 502, 503, 504])

/** The server refuses larger data, so it is not sent at all. */
const MAX_BYTES = 256 * 1024

/** Sends until the answer is final. Rejects with a `SubmitError`. */
export async function deliver(send: Send, submission: Submission): Promise<Receipt> {
  if (new TextEncoder().encode(submission.data).length > MAX_BYTES) throw errorOf(TOO_LARGE)
  for (let attempt = 1; ; attempt++) {
    const answer = await send(submission)
    const receipt = receiptOf(answer)
    if (receipt !== null) return receipt
    const waitMs = attempt < MAX_ATTEMPTS ? waitAfter(answer, attempt) : null
    if (waitMs === null) throw errorOf(answer)
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

/** Exponential backoff with jitter, or what the server asks for; null for no other attempt. */
function waitAfter({ status, retry_after_s: retryAfterS }: Answer, attempt: number): number | null {
  if (!TEMPORARY.has(status) || (status === 0 && !navigator.onLine)) return null
  const backoffMs = FIRST_WAIT_MS * 2 ** (attempt - 1)
  if (retryAfterS === null) return backoffMs * (1 + Math.random())
  return retryAfterS <= MAX_WAIT_S ? retryAfterS * 1000 + FIRST_WAIT_MS * Math.random() : null
}

function receiptOf({ status, body }: Answer): Receipt | null {
  const { data } = (body ?? {}) as { data?: Receipt }
  if (status !== 200 || !data) return null
  const { id, submitted_at: submittedAt, submit_count: submitCount } = data
  return { id, submitted_at: submittedAt, submit_count: submitCount }
}

function errorOf({ status, body }: Answer): SubmitError {
  const { error } = (body ?? {}) as { error?: { code: unknown; message: unknown } }
  if (TEMPORARY.has(status) && status !== 429) return submitError('offline', UNREACHABLE)
  if (error) return submitError(String(error.code), String(error.message))
  const [code, message] = MESSAGES[status] ?? ['failed', 'This could not be sent. Try again later.']
  return submitError(code, message)
}

const TOO_LARGE: Answer = { status: 413, retry_after_s: null, body: null }
/** For answers that are not from Handbill itself. */
const MESSAGES: Record<number, [code: string, message: string]> = {
  413: ['too_large', 'This is more than one response can hold: 256 KB.'],
  429: ['rate_limited', 'Too many were sent at once. Wait a minute and send again.'],
}
