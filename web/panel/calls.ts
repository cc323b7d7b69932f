import { APP_HEADER } from '../../src/model/app-api.ts'
import {
  type PanelData,
  type PanelViewer,
  TOKEN_HEADER,
  type ViewerRenewal,
} from '../../src/model/conversation.ts'

const TIMEOUT_MS = 20_000
/** A longer `Retry-After` is shown to the visitor. */
const MAX_WAIT_S = 8
const MAX_WAITS = 2
const OFFLINE = 'No answer came. Check your connection and try again.'
const FAILED = 'Something went wrong on the server. Try again in a moment.'
const CLOSED = 'This page has closed or changed since you opened it. Reload it.'

/**
 * Calls the server for the panel, with a token that is renewed when it has expired: a renewal also
 * says who the viewer is.
 *
 * @param sourceToken of the file on the screen
 */
export function createCalls(data: PanelData, sourceToken: () => string) {
  let { token, viewer } = data
  let renewing: Promise<void> | null = null
  const listeners: (() => void)[] = []

  async function fetchViewer(): Promise<void> {
    const headers = { [TOKEN_HEADER]: token }
    const init = { headers, cache: 'no-store', credentials: 'same-origin' } as const
    const renewal = await ask<ViewerRenewal>(`${data.page_path}/~/viewer`, init)
    const hasChanged = JSON.stringify(renewal.viewer) !== JSON.stringify(viewer)
    ;({ token, viewer } = renewal)
    if (hasChanged) for (const listener of listeners) listener()
  }

  /** Several at once share one request. */
  function renew(): Promise<void> {
    renewing ??= fetchViewer().finally(() => {
      renewing = null
    })
    return renewing
  }

  return {
    viewer: {
      get current(): PanelViewer {
        return viewer
      },
      /** An address may have been confirmed, or an account signed in, elsewhere. */
      refresh: renew,
      onChange: (listener: () => void) => void listeners.push(listener),
    },
    /**
     * Calls a visitor operation with the panel's token and the source token of the file that is
     * shown. A token that has expired is renewed once, and a short `Retry-After` is waited for.
     *
     * @throws PanelError
     */
    async call<Output>(path: `/~/${string}`, input: object): Promise<Output> {
      const send = () =>
        ask<Answer<Output>>(path, jsonInit('POST', { stamp: sourceToken(), ...input, token }))
      try {
        return (await send()).data
      } catch (err) {
        if (!(err instanceof PanelError) || err.code !== 'stale') throw err
        await renew()
        return (await send()).data
      }
    },
    /**
     * Calls an operation of the owner: `context.ownerCall('PATCH', '/comments/cmt_…', {…})`.
     *
     * @param path below the page: `/api/v1/pages/{id}` without it
     * @throws PanelError
     */
    async ownerCall<Output>(method: OwnerMethod, path: string, body?: object): Promise<Output> {
      const init = jsonInit(method, body)
      const headers = { ...init.headers, [APP_HEADER]: '1' }
      const url = `/app/api/pages/${data.page_id}${path}`
      const answer = await ask<Answer<Output> | null>(url, { ...init, headers })
      return answer?.data as Output
    },
  }
}

/** A call that failed, with words for the visitor in `message`. */
export class PanelError extends Error {
  constructor(
    message: string,
    /** `offline` where no answer came: it is not known whether the write was done. */
    readonly code: string,
    readonly retryAfterS = 0,
  ) {
    super(message)
  }
}

type OwnerMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE'

interface Answer<Output> {
  data: Output
}

function jsonInit(method: OwnerMethod, body?: object) {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  return { method, headers, body: JSON.stringify(body) }
}

/**
 * The parsed body of an answer; null for one without a body. Waits where the server says for how
 * long: it has then done nothing.
 *
 * @throws PanelError
 */
async function ask<Body>(url: string, init: RequestInit, waits = 0): Promise<Body> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const answer = await fetch(url, { ...init, signal }).catch(() => null)
  if (answer === null) throw new PanelError(OFFLINE, 'offline')
  const { status } = answer
  const body = await answer.json().catch(() => null)
  if (answer.ok) return body
  const retryAfterS = Number(answer.headers.get('retry-after') ?? Number.NaN)
  if ((status === 429 || status === 503) && waits < MAX_WAITS && retryAfterS <= MAX_WAIT_S) {
    await new Promise((done) => setTimeout(done, retryAfterS * 1000))
    return ask(url, init, waits + 1)
  }
  // A gate or a notice is a document, not JSON.
  const { code = 'closed', message = status < 500 ? CLOSED : FAILED } = body?.error ?? {}
  throw new PanelError(message, code, retryAfterS || 0)
}
