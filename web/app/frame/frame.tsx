import { type ReactNode, useRef, useState } from 'preact/compat'
import { useLocation } from 'wouter-preact'
import { DropZone, Tray } from '../publishing/drop-zone.tsx'
import { Dialog, Dialogs, openDialog } from '../ui/dialog.tsx'
import { Toasts } from '../ui/toast.tsx'
import { useKeys } from './keys.ts'
import { Palette } from './palette.tsx'
import { MODIFIER, Rail } from './rail.tsx'
import { SignInDialogs } from './sign-in-dialogs.tsx'

const KEYS: [string, string][] = [
  [`${MODIFIER} K`, 'Search pages and commands'],
  ['c', 'Make a page'],
  ['/', 'Go to the search of a list'],
  ['j and k', 'Next and previous in a list'],
  ['x', 'Select in the list of pages'],
  ['r', 'Reply in the inbox'],
  ['e', 'Resolve in the inbox, or done'],
  ['u', 'Unread in the inbox'],
  ['z', 'Undo, while a message offers it'],
  ['?', 'Show these keys'],
]

export function Frame({ children }: { children: ReactNode }) {
  const [, navigate] = useLocation()
  const [isSearching, setSearching] = useState(false)
  const closeHelp = useRef(() => {})
  useKeys({
    'mod+k': () => {
      closeHelp.current()
      setSearching(true)
    },
    '?': () => {
      closeHelp.current = openDialog(<KeyHelp />)
    },
    c: () => navigate('/new'),
  })
  return (
    <>
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 rounded-control bg-raised px-3 py-2 shadow-float not-focus:sr-only"
      >
        Skip to the content
      </a>
      <Rail onSearch={() => setSearching(true)} />
      <main
        id="main"
        aria-label="Dashboard"
        tabIndex={-1}
        className="min-h-dvh px-4 pt-6 pb-24 sm:px-8 md:ml-16 md:pb-12 lg:ml-54 print:ml-0"
      >
        <div className="mx-auto max-w-[70rem]">
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
      {isSearching && <Palette onClose={() => setSearching(false)} />}
      <Dialogs />
      <DropZone />
      <SignInDialogs />
      <Toasts />
    </>
  )
}

function KeyHelp() {
  return (
    <Dialog title="Keys">
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
