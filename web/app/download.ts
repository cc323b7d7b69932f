import { hasRecentSignIn, messageOf, noteError } from './api.ts'
import { signInAgain } from './sign-in-again.ts'
import { showError } from './ui/toast.tsx'

/** The browser saves the file while it arrives; the dashboard stays as it is. */
export async function download(path: string): Promise<void> {
  try {
    if (!((await hasRecentSignIn()) || (await signInAgain()))) return
    location.assign(path)
  } catch (err) {
    noteError(err)
    showError(messageOf(err))
  }
}
