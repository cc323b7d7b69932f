import { startAuthentication } from '@simplewebauthn/browser'

const PATH = '/app/sign-in/passkey'
const NOT_USED = 'No passkey was used. Try again, or take another way.'

interface SignIn {
  /** Where to go on; a path of ours. */
  next?: string
  /** For the account that is signed in already, and no other. */
  isAgain?: boolean
  /** Waits until the person chooses a passkey among what the browser fills in. */
  isAutofill?: boolean
}

/**
 * Signs the browser in with a passkey that the person chooses.
 *
 * @returns the path to go on to
 * @throws Error with words for the person; see `passkeyProblem`
 */
export async function signInWithPasskey(options: SignIn = {}): Promise<string> {
  const { next = '', isAgain = false, isAutofill = false } = options
  const optionsJSON = await post<Parameters<typeof startAuthentication>[0]['optionsJSON']>(
    `${PATH}/options`,
    {},
  )
  const response = await startAuthentication({ optionsJSON, useBrowserAutofill: isAutofill })
  const again: Record<string, string> = isAgain ? { again: '1' } : {}
  const fields = { response: JSON.stringify(response), next, ...again }
  return (await post<{ next: string }>(PATH, fields)).next
}

/**
 * What to say of a failure; null where the person or another request has ended it.
 *
 * @param none where browsers tell no difference: a closed dialog, no passkey, or a timeout
 */
export function passkeyProblem(err: unknown, none = NOT_USED): string | null {
  const { name, message } = err as Error
  if (name === 'Error') return message
  if (name === 'AbortError') return null
  if (name === 'InvalidStateError') return 'This device has a passkey of this account already.'
  if (name === 'SecurityError') return 'Browsers take no passkeys at this address.'
  if (name === 'TypeError') return 'The server cannot be reached. Try again.'
  return none
}

async function post<T>(path: string, fields: Record<string, string>): Promise<T> {
  const answer = await fetch(path, { method: 'POST', body: new URLSearchParams(fields) })
  const json: unknown = await answer.json().catch(() => null)
  const body = json as { data?: T; error?: { message: string } } | null
  if (answer.ok && body?.data !== undefined) return body.data
  throw new Error(body?.error?.message ?? 'That did not work. Try again.')
}
