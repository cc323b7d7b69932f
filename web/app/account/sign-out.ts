import { api, messageOf } from '../api.ts'
import { showError } from '../ui/toast.tsx'

/** Ends the session of this browser. The page that follows says so, and asks to sign in. */
export async function signOut(): Promise<void> {
  try {
    await api.endSession({ session_id: 'current' })
    location.assign('/app?signed_out')
  } catch (err) {
    showError(messageOf(err))
  }
}
