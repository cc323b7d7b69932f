import { APP_HEADER } from '../../src/model/app-api.ts'
import { type PanelData, TOKEN_HEADER, type ViewerRenewal } from '../../src/model/conversation.ts'
import { type OwnerMethod, PanelError } from './tab.ts'

const TIMEOUT_MS = 20_000
/** A longer `Retry-After` is shown to the visitor. */
const MAX_WAIT_S = 8
const MAX_WAITS = 2
const OFFLINE = 'No answer came. Check your connection and try again.'
const FAILED = 'Something went wrong on the server. Try again in a moment.'
const CLOSED = 'This page has closed or changed since you opened it. Reload it.'

export interface CallOptions {
  data: PanelData
  /** The source token of the file on the screen. */
  sourceToken(): string
  /** Takes over a token and viewer that the server has given. */
  onRenewal(renewal: ViewerRenewal): void
}

/** Calls the server for the panel, with a token that is renewed when it has expired. */
export function createCalls({ data, sourceToken, onRenewal }: CallOptions) {
  let { token } = data
  let renewing: Promise<void> | null = null

  async function fetchViewer(): Promise<void> {
    const headers = { [TOKEN_HEADER]: token }
    const init = { headers, cache: 'no-store', credentials: 'same-origin' } as const
    const renewal = (await ask(`${data.page_path}/~/viewer`, init)) as ViewerRenewal
    token = renewal.token
    onRenewal(renewal)
  }

  /** Gets a new token. Several at once share one request. */
  function renew(): Promise<void> {
    renewing ??= fetchViewer().finally(() => {
      renewing = null
    })
    return renewing
  }

  return {
    renew,
    async call(path: string, input: object): Promise<unknown> {
      const send = () =>
        ask(path, jsonInit('POST', { stamp: sourceToken(), ...input, token })) as Promise<Answer>
      try {
        return (await send()).data
      } catch (err) {
        if (!(err instanceof PanelError) || err.code !== 'stale') throw err
        await renew()
        return (await send()).data
      }
    },
    async ownerCall(method: OwnerMethod, path: string, body?: object): Promise<unknown> {
      const init = jsonInit(method, body)
      const headers = { ...init.headers, [APP_HEADER]: '1' }
      const url = `/app/api/pages/${data.page_id}${path}`
      return ((await ask(url, { ...init, headers })) as Answer | null)?.data
    },
  }
}
export type Calls = ReturnType<typeof createCalls>

interface Answer {
  data: unknown
}

function jsonInit(method: OwnerMethod, body?: object) {
  const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  return { method, ...(body === undefined ? { headers: {} } : json) }
}

/**
 * The parsed body of an answer; null for one without a body. Waits where the server says for how
 * long: it has then done nothing.
 *
 * @throws PanelError
 */
async function ask(url: string, init: RequestInit, waits = 0): Promise<unknown> {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    () => null,
  )
  if (answer === null) throw new PanelError(OFFLINE, { code: 'offline', status: 0 })
  const { status } = answer
  const body = await answer.json().catch(() => null)
  if (answer.ok) return body
  const retryAfterS = Number(answer.headers.get('retry-after') ?? Number.NaN)
  const mayWait = waits < MAX_WAITS && retryAfterS <= MAX_WAIT_S
  if ((status === 429 || status === 503) && mayWait) {
    await new Promise((done) => setTimeout(done, retryAfterS * 1000))
    return ask(url, init, waits + 1)
  }
  // A gate or a notice is a document, not JSON.
  const { code = 'closed', message = status < 500 ? CLOSED : FAILED } = body?.error ?? {}
  const parts = { code, status, retryAfterS: Number.isNaN(retryAfterS) ? null : retryAfterS }
  throw new PanelError(message, parts)
}
