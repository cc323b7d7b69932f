import type { ReactNode } from 'preact/compat'
import { Link } from 'wouter-preact'
import type { Page } from '../api.ts'
import { buttonClass } from '../ui/button.tsx'
import { Empty } from '../ui/states.tsx'

interface TurnedOffProps {
  page: Page
  title: string
  children: ReactNode
}

/** A part that the page does not use, and the way to switch it on. */
export function TurnedOff({ page, title, children }: TurnedOffProps) {
  return (
    <Empty title={title}>
      {children}
      <Link href={`/pages/${page.id}/share#ask-viewers`} className={buttonClass()}>
        Set it up under Share
      </Link>
    </Empty>
  )
}
