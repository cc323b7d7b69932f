import type { ComponentType } from 'react'
import { Link } from 'wouter'
import { NotFound } from '../frame/not-found.tsx'
import { Screen } from '../frame/screen.tsx'
import { Accounts } from './accounts.tsx'
import { Health } from './health.tsx'
import { Outbox } from './outbox.tsx'
import { AllPages } from './pages.tsx'

interface Part {
  /** Behind `/admin`. */
  path: string
  name: string
  view: ComponentType
}

const PARTS: Part[] = [
  { path: '', name: 'Health', view: Health },
  { path: 'accounts', name: 'Accounts', view: Accounts },
  { path: 'pages', name: 'Pages', view: AllPages },
  { path: 'outbox', name: 'Outbox', view: Outbox },
]

/** Whether the server is well, and who uses it. */
export default function OperatorScreen({ part }: { part: string }) {
  const shown = PARTS.find(({ path }) => path === part)
  if (shown === undefined) return <NotFound />
  const { view: View } = shown
  return (
    <Screen title="Operator">
      <nav aria-label="Operator" className="mb-6">
        <ul className="flex gap-5 overflow-x-auto border-b border-line">
          {PARTS.map(({ path, name }) => (
            <li key={path}>
              <Link
                href={path === '' ? '/admin' : `/admin/${path}`}
                aria-current={path === part ? 'page' : undefined}
                className="-mb-px block border-b-2 border-transparent py-2 text-muted hover:text-ink aria-[current]:border-accent aria-[current]:text-ink"
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <View />
    </Screen>
  )
}
