/** What the browser asks a person for. Loaded where a passkey is added or used. */
import { startRegistration } from '@simplewebauthn/browser'
import { passkeyProblem, signInWithPasskey } from '../../sign-in/passkey.ts'
import { api } from '../api.ts'

const NOT_ADDED = 'No passkey was added. Try again: the device needs a screen lock or a PIN.'

/** Adds a passkey, named by this browser until its owner gives it another name. */
export async function addPasskey(): Promise<void> {
  const [{ data: optionsJSON }, { data: sessions }, { data: passkeys }] = await Promise.all([
    api.startPasskey(),
    api.listSessions(),
    api.listPasskeys(),
  ])
  const response = await startRegistration({ optionsJSON }).catch((err) => {
    throw new Error(passkeyProblem(err, NOT_ADDED) ?? NOT_ADDED)
  })
  const browser = sessions.find((session) => session.is_current)?.browser ?? 'Passkey'
  const names = [browser, ...passkeys.map((_, at) => `${browser} ${at + 2}`)]
  const name = names.find((each) => !passkeys.some((passkey) => passkey.name === each))!
  await api.addPasskey({ name, response })
}

/** Signs in again to the account of this session. */
export async function confirmWithPasskey(): Promise<void> {
  await signInWithPasskey({ isAgain: true }).catch((err) => {
    throw new Error(passkeyProblem(err) ?? 'No passkey was used.')
  })
}
