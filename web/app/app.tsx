import { type ComponentType, Suspense, useEffect } from 'react'
import { Route, Router, Switch } from 'wouter'
import { useAccount } from './account.ts'
import { replayEarlyActions } from './early/replay.ts'
import { Frame } from './frame/frame.tsx'
import { useIsHydrated } from './hydrated.ts'
import { PagesScreen } from './pages/pages.tsx'
import { Skeleton } from './ui/states.tsx'
import { guardNavigation } from './unsent.ts'

/** The address of a document, for the server; a browser knows it. */
export interface Address {
  path: string
  /** With the question mark; empty without a query. */
  search: string
}

interface AppProps {
  /** All screens but the list; the server has none, and paints the frame around them. */
  Screens: ComponentType
  address?: Address
}

/** The dashboard. The document paints the list; every other screen is loaded by the script. */
export function App({ Screens, address }: AppProps) {
  const { is_guest: isGuest } = useAccount()
  const isHydrated = useIsHydrated()
  // Once React is done with its effects: events that it gets meanwhile change state too late.
  useEffect(() => queueMicrotask(replayEarlyActions), [])
  return (
    <Router
      base="/app"
      aroundNav={guardNavigation}
      {...(address && { ssrPath: address.path, ssrSearch: address.search })}
    >
      <Frame>
        <Switch>
          {/* In no Suspense, whose content React takes over later than what stands around it. */}
          {!isGuest && <Route path="/" component={PagesScreen} />}
          <Route>
            {isHydrated ? (
              <Suspense fallback={<Skeleton />}>
                <Screens />
              </Suspense>
            ) : (
              <Skeleton />
            )}
          </Route>
        </Switch>
      </Frame>
    </Router>
  )
}
