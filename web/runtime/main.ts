import { measureVisibleTime } from '../time/visible-time.ts'
import { createForms } from './forms.ts'
import { addHoneypots } from './honeypot.ts'
import { createOutbox } from './outbox.ts'
import { post } from './post.ts'
import { CONNECT, runtimeScript } from './stub-queue.ts'
import {
  type Answer,
  type Receipt,
  type Send,
  SHELL_SEND,
  type Submission,
  type SubmitError,
  submitError,
  UNREACHABLE,
} from './submission.ts'
import { guardTyped } from './typed.ts'

const MAX_ATTEMPTS = 4
/** All attempts together end before the stub says that there is no answer. */
const FIRST_WAIT_MS = 250
const MAX_WAIT_S = 30
/** Statuses that are worth another attempt; 0 is no answer. */
const TEMPORARY = new Set([0, 429, 502, 503, 504])

/** The server refuses larger data, so it is not sent at all. */
const MAX_BYTES = 256 * 1024

/** For answers that are not from Handbill itself. */
const MESSAGES: Record<number, [code: string, message: string]> = {
  413: ['too_large', 'This is more than one response can hold: 256 KB.'],
  429: ['rate_limited', 'Too many were sent at once. Wait a minute and send again.'],
}

/** Longer than the shell's own timeout, so that the shell's answer always arrives first. */
const TIMEOUT_MS = 40_000

const NO_SHELL = 'This page cannot send from here. Open it by its link and send again.'
const PREVIEW = 'This is a preview: nothing is sent, and nothing stored.'

const MAX_NAME_CHARS = 1000

/** Makes the page's forms and `Service.submit` work, starting with what the stub has queued. */
function start(script: HTMLScriptElement): void {
  const { stamp = '', token = '', preview } = script.dataset
  if (preview === undefined) {
    const origin = originOf(script)
    measureVisibleTime({ origin, token, sourceToken: stamp, partNow: () => '' })
  }
  const send = transportOf(script)
  const outbox = createOutbox((payload, id) => deliver(send, { stamp, id, ...payload }))
  const typed = preview === undefined ? guardTyped() : new Set()
  const forms = createForms(outbox, typed)
  addHoneypots()
  window[CONNECT]?.((item) => {
    if ('form' in item) {
      forms.submit(item)
      return
    }
    typed.clear()
    const { data, name, resolve, reject } = item
    const member = typeof name === 'string' && { name: name.slice(0, MAX_NAME_CHARS) }
    outbox.add({ data, controls: [], ...member }, { sent: resolve, failed: reject })
  })
}

/** `script.src` would depend on the page's <base>; the attribute does not. */
function originOf(script: HTMLScriptElement): string {
  return new URL(script.getAttribute('src') ?? '', location.href).origin
}

function transportOf(script: HTMLScriptElement): Send {
  const { token, preview } = script.dataset
  // Its owner tries the form, and nothing is stored.
  if (preview !== undefined) return async () => refusal(403, 'preview', PREVIEW)
  // A page that is open on its own: its script carries the viewer's token.
  if (token !== undefined) {
    const url = `${originOf(script)}/~/responses`
    return (submission) => post(url, token, submission)
  }
  // A framed page: the shell holds the viewer's token, and the page never sees it.
  const send = (window as { [SHELL_SEND]?: Send })[SHELL_SEND]
  if (send === undefined) return async () => refusal(400, 'failed', NO_SHELL)
  return (submission) => Promise.race([send(submission), timeout()])
}

function refusal(status: number, code: string, message: string): Answer {
  return { status, retry_after_s: null, body: { error: { code, message } } }
}

const script = document.currentScript as HTMLScriptElement
if ([null, script].includes(runtimeScript())) start(script)

/** Sends until the answer is final. Rejects with a `SubmitError`. */
async function deliver(send: Send, submission: Submission): Promise<Receipt> {
  if (new TextEncoder().encode(submission.data).length > MAX_BYTES) {
    const [code, message] = MESSAGES[413]!
    throw submitError(code, `${message} Most of it is in “${largestField(submission.data)}”.`)
  }
  for (let attempt = 1; ; attempt++) {
    const answer = await send(submission)
    const { data: receipt } = (answer.body ?? {}) as { data?: Receipt }
    if (answer.status === 200 && receipt) return receipt
    const waitMs = attempt < MAX_ATTEMPTS ? waitAfter(answer, attempt) : null
    if (waitMs === null) throw errorOf(answer)
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

function largestField(data: string): string | undefined {
  const fields = Object.entries(JSON.parse(data))
  const sizes = fields.map(([name, value]) => ({ name, size: JSON.stringify(value).length }))
  return sizes.sort((a, b) => b.size - a.size)[0]?.name
}

/** Exponential backoff with jitter, or what the server asks for; null for no other attempt. */
function waitAfter({ status, retry_after_s: retryAfterS }: Answer, attempt: number): number | null {
  if (!TEMPORARY.has(status) || (status === 0 && !navigator.onLine)) return null
  const backoffMs = FIRST_WAIT_MS * 2 ** (attempt - 1)
  if (retryAfterS === null) return backoffMs * (1 + Math.random())
  return retryAfterS <= MAX_WAIT_S ? retryAfterS * 1000 + FIRST_WAIT_MS * Math.random() : null
}

function errorOf({ status, body }: Answer): SubmitError {
  const { error } = (body ?? {}) as { error?: { code: unknown; message: unknown } }
  if (TEMPORARY.has(status) && status !== 429) return submitError('offline', UNREACHABLE)
  if (error) return submitError(String(error.code), String(error.message))
  const [code, message] = MESSAGES[status] ?? ['failed', 'This could not be sent. Try again later.']
  return submitError(code, message)
}

function timeout(): Promise<Answer> {
  const noAnswer = { status: 0, retry_after_s: null, body: null }
  return new Promise((resolve) => setTimeout(() => resolve(noAnswer), TIMEOUT_MS))
}
