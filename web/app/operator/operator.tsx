import type { ComponentType } from 'react'
import { NotFound } from '../frame/not-found.tsx'
import { Screen } from '../frame/screen.tsx'
import { TabLinks } from '../ui/tab-links.tsx'
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

/** The server's health, its accounts, pages and mails. */
export default function OperatorScreen({ part }: { part: string }) {
  const shown = PARTS.find(({ path }) => path === part)
  if (shown === undefined) return <NotFound />
  const { view: View } = shown
  return (
    <Screen title="Operator">
      <TabLinks
        label="Operator"
        className="mb-6"
        tabs={PARTS.map(({ path, name }) => ({
          name,
          href: path === '' ? '/admin' : `/admin/${path}`,
          isCurrent: path === part,
        }))}
      />
      <View />
    </Screen>
  )
}
