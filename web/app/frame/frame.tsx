import type { ReactNode } from 'react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { DropZone } from '../publishing/drop-zone.tsx'
import { Toasts } from '../ui/toast.tsx'
import { KeyHelp } from './key-help.tsx'
import { useKeys } from './keys.ts'
import { Palette } from './palette.tsx'
import { Rail } from './rail.tsx'
import { SignInDialogs } from './sign-in-dialogs.tsx'

/** What stands around every screen: the rail, the palette, the list of keys, and messages. */
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
