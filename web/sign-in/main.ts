/**
 * The button of the sign-in page for passkeys, and their place in what the browser fills in.
 * Without them the page stays as it came.
 */
import { hasPasskeys } from './has-passkeys.ts'
import { passkeyProblem, signInWithPasskey } from './passkey.ts'

/** Sooner than a challenge ends, which is after five minutes. */
const RENEW_MS = 4 * 60_000

const place = document.getElementById('passkey')!
const button = place.querySelector('button')!
const problem = place.querySelector('[role=alert]') as HTMLElement
const { next = '' } = place.dataset

function show(text: string | null): void {
  problem.textContent = text
  problem.hidden = text === null
}

let isSigningIn = false

/** The button stays enabled meanwhile: by `disabled`, the keyboard loses its place. */
async function signIn(): Promise<void> {
  if (isSigningIn) return
  show(null)
  isSigningIn = true
  try {
    location.assign(await signInWithPasskey({ next }))
  } catch (err) {
    show(passkeyProblem(err))
    void offer()
  }
  isSigningIn = false
}

/** Offers passkeys where the address is typed, in browsers that do that. */
async function offer(): Promise<void> {
  const canOffer = await PublicKeyCredential.isConditionalMediationAvailable?.()
  if (canOffer !== true) return
  const renewing = setTimeout(offer, RENEW_MS)
  try {
    location.assign(await signInWithPasskey({ next, isAutofill: true }))
  } catch (err) {
    // The button, or the next offer, has taken its place.
    if ((err as Error).name === 'AbortError') return
    clearTimeout(renewing)
    // Nobody has asked for anything yet, so only a passkey that was refused has words.
    if ((err as Error).name === 'Error') show(passkeyProblem(err))
  }
}

if (hasPasskeys()) {
  place.hidden = false
  button.addEventListener('click', () => void signIn())
  void offer()
} else {
  document.getElementById('no-passkeys')?.removeAttribute('hidden')
}
