import { api, messageOf } from '../api.ts'
import { showError } from '../ui/toast.tsx'

/** Ends the session of this browser. The document that follows asks to sign in. */
export async function signOut(): Promise<void> {
  try {
    await api.endSession({ session_id: 'current' })
    location.assign('/app')
  } catch (err) {
    showError(messageOf(err))
  }
}
