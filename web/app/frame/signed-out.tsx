import { useState } from 'react'
import { api, queryClient, signedOut } from '../api.ts'
import { useStore } from '../store.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

/** Asks to sign in again, in another tab, so that nothing typed here is lost. */
export function SignedOut() {
  const isShown = useStore(signedOut)
  const [problem, setProblem] = useState('')
  if (!isShown) return null

  async function goOn(): Promise<void> {
    try {
      await api.getAccount()
      signedOut.set(false)
      setProblem('')
      await queryClient.invalidateQueries()
    } catch {
      setProblem('This browser is not signed in yet.')
    }
  }
  return (
    <Dialog
      title="You have been signed out"
      onClose={() => signedOut.set(false)}
      actions={
        <>
          <Button onClick={goOn}>I have signed in</Button>
          <a href="/app/sign-in" target="_blank" rel="noopener" className={buttonClass('primary')}>
            Sign in
          </a>
        </>
      }
    >
      <p>
        What you have typed is still here. Sign in in the other tab, come back, and go on where you
        were.
      </p>
      {problem && (
        <p role="alert" className="mt-3 text-danger">
          {problem}
        </p>
      )}
    </Dialog>
  )
}
