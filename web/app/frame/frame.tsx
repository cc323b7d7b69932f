import { type ReactNode, useEffect, useEffectEvent, useState } from 'preact/compat'
import { useLocation } from 'wouter-preact'
import { SIGNED_IN_PATH } from '../../../src/model/app-api.ts'
import { useAccount, useBoot } from '../account.ts'
import { api, hasRecentSignIn, queryClient, signedOut } from '../api.ts'
import { DropZone, Tray } from '../publishing/drop-zone.tsx'
import { answerAll, waitingForSignIn } from '../sign-in-again.ts'
import { useStore } from '../store.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Problem } from '../ui/field.tsx'
import { Toasts } from '../ui/toast.tsx'
import { useKeys } from './keys.ts'
import { Palette } from './palette.tsx'
import { MODIFIER, Rail } from './rail.tsx'

const KEYS: [string, string][] = [
  [`${MODIFIER} K`, 'Search pages and commands'],
  ['c', 'Make a page'],
  ['/', 'Go to the search of a list'],
  ['j and k', 'Next and previous in a list'],
  ['x', 'Select in the list of pages'],
  ['r', 'Reply in the inbox'],
  ['e', 'Resolve in the inbox'],
  ['?', 'Show these keys'],
]

const NEXT = `next=${encodeURIComponent(SIGNED_IN_PATH)}`

export function Frame({ children }: { children: ReactNode }) {
  const [, navigate] = useLocation()
  const [overlay, setOverlay] = useState<'palette' | 'keys' | null>(null)
  useKeys({
    'mod+k': () => setOverlay('palette'),
    '?': () => setOverlay('keys'),
    c: () => navigate('/new'),
  })
  const close = () => setOverlay(null)
  return (
    <>
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 rounded-control bg-raised px-3 py-2 shadow-float not-focus:sr-only"
      >
        Skip to the content
      </a>
      <Rail onSearch={() => setOverlay('palette')} />
      <main
        id="main"
        aria-label="Dashboard"
        tabIndex={-1}
        className="min-h-dvh px-4 pt-6 pb-24 outline-none sm:px-8 md:ml-16 md:pb-12 lg:ml-54"
      >
        <div className="mx-auto max-w-[1120px]">
          <noscript>
            <p className="mb-6">
              This page needs JavaScript. Everything it does, the{' '}
              <a href="/docs" className="link">
                API and the command line
              </a>{' '}
              do, too.
            </p>
          </noscript>
          {children}
          <Tray />
        </div>
      </main>
      {overlay === 'palette' && <Palette onClose={close} />}
      {overlay === 'keys' && <KeyHelp onClose={close} />}
      <DropZone />
      <SignInDialogs />
      <Toasts />
    </>
  )
}

function KeyHelp({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-6 gap-y-2">
        {KEYS.map(([key, does]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded-control border border-line bg-sunk px-2 py-0.5 text-13">
                {key}
              </kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

/** Asks to sign in in another tab, so that nothing that was typed here is lost. */
function SignInDialogs() {
  const isSignedOut = useStore(signedOut)
  const isWaiting = useStore(waitingForSignIn).length > 0
  if (isSignedOut) return <SignedOut />
  return isWaiting && <SignInAgain />
}

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
  const look = useEffectEvent(async () => {
    if (document.visibilityState === 'visible' && (await isDone().catch(() => false))) onDone()
  })
  useEffect(() => {
    const listener = () => void look()
    addEventListener('focus', listener)
    document.addEventListener('visibilitychange', listener)
    return () => {
      removeEventListener('focus', listener)
      document.removeEventListener('visibilitychange', listener)
    }
  }, [])
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
