import { type QueryClient, QueryClientProvider } from '@tanstack/preact-query'
import { type ComponentProps, type ComponentType, Suspense, useEffect } from 'preact/compat'
import { Route, Router, Switch } from 'wouter-preact'
import { BootContext, useAccount, useIsHydrated } from './account.ts'
import type { Boot } from './boot.ts'
import { replayEarlyActions } from './early/replay.ts'
import { Frame } from './frame/frame.tsx'
import { PagesScreen } from './pages/pages.tsx'
import { Skeleton } from './ui/states.tsx'
import { guardNavigation } from './unsent.ts'

/** The address of the document, for rendering on the server. */
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
  // Replayed after React has run its effects: until then, events would change state too late.
  useEffect(() => queueMicrotask(replayEarlyActions), [])
  return (
    <Router
      base="/app"
      aroundNav={guardNavigation}
      {...(address && { ssrPath: address.path, ssrSearch: address.search })}
    >
      <Frame>
        <Switch>
          {/* Outside of Suspense, whose content React hydrates later than the rest. */}
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

interface RootProps extends ComponentProps<typeof App> {
  boot: Boot
  client: QueryClient
}

/** What the server renders and the browser takes over. */
export function Root({ boot, client, ...app }: RootProps) {
  return (
    <QueryClientProvider client={client}>
      <BootContext value={boot}>
        <App {...app} />
      </BootContext>
    </QueryClientProvider>
  )
}
