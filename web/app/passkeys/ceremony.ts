/** What the browser asks a person for. Loaded where a passkey is added or used. */
import { startRegistration } from '@simplewebauthn/browser'
import { passkeyProblem, signInWithPasskey } from '../../sign-in/passkey.ts'
import { api } from '../api.ts'

/** Adds a passkey, named by this browser until its owner gives it another name. */
export async function addPasskey(): Promise<void> {
  const [{ data: optionsJSON }, { data: sessions }] = await Promise.all([
    api.startPasskey(),
    api.listSessions(),
  ])
  const response = await startRegistration({ optionsJSON }).catch((err) => {
    throw new Error(passkeyProblem(err) ?? 'No passkey was added.')
  })
  const name = sessions.find((session) => session.is_current)?.browser ?? 'Passkey'
  await api.addPasskey({ name, response })
}

/** Signs in again to the account of this session. */
export async function confirmWithPasskey(): Promise<void> {
  await signInWithPasskey({ isAgain: true }).catch((err) => {
    throw new Error(passkeyProblem(err) ?? 'No passkey was used.')
  })
}
