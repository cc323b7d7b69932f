import { type ReactNode, useState } from 'preact/compat'
import { SIGNED_IN_PATH } from '../../../src/model/app-api.ts'
import { useAccount, useBoot } from '../account.ts'
import { api, hasRecentSignIn, queryClient, signedOut } from '../api.ts'
import { useWindowEvent } from '../hooks.ts'
import { usePasskeySupport, usePasskeys } from '../passkeys/use-passkeys.ts'
import { answerAll, waitingForSignIn } from '../sign-in-again.ts'
import { useStore } from '../store.ts'
import { Button, buttonClass, PrimaryButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Problem } from '../ui/field.tsx'
import { NewTabLink } from '../ui/link.tsx'
import { useAction } from '../use-action.ts'

const NEXT = `next=${encodeURIComponent(SIGNED_IN_PATH)}`

/** Asks to sign in in another tab, so that nothing that was typed here is lost. */
export function SignInDialogs() {
  const isSignedOut = useStore(signedOut)
  const isWaiting = useStore(waitingForSignIn).length > 0
  if (isSignedOut) return <SignedOut />
  return isWaiting && <SignInAgain />
}

function SignedOut() {
  const { email } = useAccount()
  const href = `/app/sign-in?email=${encodeURIComponent(email)}&${NEXT}`
  return (
    <SignInDialog
      title="You have been signed out"
      actions={
        <NewTabLink href={href} className={buttonClass('primary')}>
          Sign in
        </NewTabLink>
      }
      isDone={() => api.getAccount().then(Boolean)}
      onDone={() => {
        signedOut.set(false)
        void queryClient.invalidateQueries()
      }}
      onClose={() => signedOut.set(false)}
    >
      <p>
        What you have typed is still here. Sign in as <bdi className="break-words">{email}</bdi> in
        the other tab, and go on where you were.
      </p>
    </SignInDialog>
  )
}

/** What is being done needs a sign-in of the last hour. It is done once there is one. */
function SignInAgain() {
  const { email } = useAccount()
  const { provider, sends_mails: sendsMails } = useBoot()
  const canUsePasskey = usePasskeySupport() === 'yes'
  const { data: passkeys = [] } = usePasskeys({ isRead: canUsePasskey })
  const hasPasskey = canUsePasskey && passkeys.length > 0
  const byPasskey = async () => (await import('../passkeys/ceremony.ts')).confirmWithPasskey()
  const confirm = useAction(byPasskey, { onDone: () => answerAll(true) })
  return (
    <SignInDialog
      title="Confirm it is you"
      actions={
        <>
          {provider !== null && (
            <NewTabLink href={`/app/sign-in/sso?again&${NEXT}`} className={buttonClass()}>
              Continue with {provider}
            </NewTabLink>
          )}
          <form method="post" action="/app/sign-in" target="_blank" rel="noopener">
            <input type="hidden" name="email" value={email} />
            <input type="hidden" name="next" value={SIGNED_IN_PATH} />
            <Button look={hasPasskey ? 'plain' : 'primary'} type="submit">
              {sendsMails ? 'Mail me a link' : 'Make a link'}
            </Button>
          </form>
          {hasPasskey && <PrimaryButton mutation={confirm}>Use a passkey</PrimaryButton>}
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
      {sendsMails ? (
        <p className="mt-3 text-muted">
          A link and a code go to <bdi className="break-words text-ink">{email}</bdi>. Sign in with
          either in the tab that opens; what you were doing here then goes on by itself.
        </p>
      ) : (
        <div className="mt-3 grid gap-2 text-muted">
          <p>
            This server sends no mail. {hasPasskey ? 'Sign in with a passkey, or ask' : 'Ask'} its
            operator for a link, and open it in this browser:
          </p>
          <p className="font-mono text-13 break-words text-ink">handbill account sign-in {email}</p>
          <p>
            “Make a link” puts one into a file in the server’s outbox, which its operator can read.
          </p>
        </div>
      )}
    </SignInDialog>
  )
}

interface SignInDialogProps {
  title: string
  children: ReactNode
  actions: ReactNode
  isDone(): Promise<boolean>
  onDone(): void
  onClose(): void
}

function SignInDialog({ title, children, actions, isDone, onDone, onClose }: SignInDialogProps) {
  const [problem, setProblem] = useState('')
  async function goOn(): Promise<void> {
    if (await isDone().catch(() => false)) onDone()
    else setProblem('This browser has not signed in yet.')
  }
  async function look(): Promise<void> {
    if (document.visibilityState === 'visible' && (await isDone().catch(() => false))) onDone()
  }
  useWindowEvent('focus', look)
  useWindowEvent('visibilitychange', look)
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={goOn}>I have signed in</Button>
          {actions}
        </>
      }
    >
      {children}
      <Problem error={problem} className="mt-3" />
    </Dialog>
  )
}
