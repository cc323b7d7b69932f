import { type ReactNode, useEffect, useRef, useState } from 'react'
import { SIGNED_IN_PATH } from '../../../src/model/app-api.ts'
import { useAccount, useBoot } from '../account.ts'
import { api, hasRecentSignIn, queryClient, signedOut } from '../api.ts'
import { answerAll, waitingForSignIn } from '../sign-in-again.ts'
import { useStore } from '../store.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

const NEXT = `next=${encodeURIComponent(SIGNED_IN_PATH)}`

/** Asks to sign in in another tab, so that nothing that was typed here is lost. */
export function SignInDialogs() {
  const isSignedOut = useStore(signedOut)
  const isWaiting = useStore(waitingForSignIn).length > 0
  if (isSignedOut) return <SignedOut />
  return isWaiting && <SignInAgain />
}

/** The session has ended. */
function SignedOut() {
  return (
    <SignInDialog
      title="You have been signed out"
      actions={
        <a
          href={`/app/sign-in?${NEXT}`}
          target="_blank"
          rel="noopener"
          className={buttonClass('primary')}
        >
          Sign in
        </a>
      }
      isDone={() => api.getAccount().then(Boolean)}
      onDone={() => {
        signedOut.set(false)
        void queryClient.invalidateQueries()
      }}
      onClose={() => signedOut.set(false)}
    >
      <p>What you have typed is still here. Sign in in the other tab, and go on where you were.</p>
    </SignInDialog>
  )
}

/** What is being done needs a sign-in of the last hour. It is done once there is one. */
function SignInAgain() {
  const { email } = useAccount()
  const { provider } = useBoot()
  return (
    <SignInDialog
      title="Confirm it is you"
      actions={
        <>
          {provider !== null && (
            <a
              href={`/app/sign-in/sso?again&${NEXT}`}
              target="_blank"
              rel="noopener"
              className={buttonClass()}
            >
              Continue with {provider}
            </a>
          )}
          <form method="post" action="/app/sign-in" target="_blank" rel="noopener">
            <input type="hidden" name="email" value={email} />
            <input type="hidden" name="next" value={SIGNED_IN_PATH} />
            <Button look="primary" type="submit">
              Mail me a link
            </Button>
          </form>
        </>
      }
      isDone={hasRecentSignIn}
      onDone={() => answerAll(true)}
      onClose={() => answerAll(false)}
    >
      <p>
        You signed in more than an hour ago. What you are doing needs a newer sign-in, so that
        nobody else does it with this browser.
      </p>
      <p className="mt-3 text-muted">
        A link and a code go to <bdi className="break-words text-ink">{email}</bdi>. Sign in with
        either in the tab that opens; what you were doing here then goes on by itself.
      </p>
    </SignInDialog>
  )
}

interface SignInDialogProps {
  title: string
  children: ReactNode
  /** The ways to sign in. */
  actions: ReactNode
  isDone(): Promise<boolean>
  onDone(): void
  onClose(): void
}

function SignInDialog({ title, children, actions, isDone, onDone, onClose }: SignInDialogProps) {
  const [problem, setProblem] = useState('')

  async function goOn(): Promise<boolean> {
    const isSignedIn = await isDone().catch(() => false)
    if (isSignedIn) onDone()
    return isSignedIn
  }
  const latest = useRef(goOn)
  useEffect(() => {
    latest.current = goOn
  })
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && void latest.current()
    addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button
            onClick={async () => {
              if (!(await goOn())) setProblem('This browser has not signed in yet.')
            }}
          >
            I have signed in
          </Button>
          {actions}
        </>
      }
    >
      {children}
      {problem && (
        <p role="alert" className="mt-3 text-danger">
          {problem}
        </p>
      )}
    </Dialog>
  )
}
