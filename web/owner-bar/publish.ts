import { APP_HEADER } from '../../src/model/app-api.ts'

const TIMEOUT_MS = 20_000
const NO_ANSWER = 'No answer came. Check the connection, reload, and try again.'
const FAILED = 'The server could not publish it. Try again in a moment.'

/** Publishes the draft of a page, as its signed-in owner. @returns why it failed, or null */
export async function publish(pageId: string): Promise<string | null> {
  const answer = await fetch(`/app/api/pages/${pageId}/publish`, {
    method: 'POST',
    headers: { [APP_HEADER]: '1' },
    credentials: 'same-origin',
    cache: 'no-store',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null)
  if (answer === null) return NO_ANSWER
  if (answer.ok) return null
  const body = await answer.json().catch(() => null)
  const message: unknown = body?.error?.message
  return typeof message === 'string' && answer.status < 500 ? message : FAILED
}
