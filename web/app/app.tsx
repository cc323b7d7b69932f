import { lazy, Suspense } from 'react'
import { Redirect, Route, Router, Switch } from 'wouter'
import { useAccount } from './account.ts'
import { Frame } from './frame/frame.tsx'
import { NotFound } from './frame/not-found.tsx'
import { PagesScreen } from './pages/pages.tsx'
import { Skeleton } from './ui/states.tsx'

const PageScreen = lazy(() => import('./page/page.tsx'))
const NewPageScreen = lazy(() => import('./new-page/new-page.tsx'))
const InboxScreen = lazy(() => import('./inbox/inbox.tsx'))
const AnalyticsScreen = lazy(() => import('./analytics/analytics.tsx'))
const DeveloperScreen = lazy(() => import('./developer/developer.tsx'))
const AccountScreen = lazy(() => import('./account/account.tsx'))
const OperatorScreen = lazy(() => import('./operator/operator.tsx'))

type PageParams = {
  id: string
  tab?: string
  item?: string
}

type AdminParams = { part?: string }

/** The dashboard: each screen has an address. */
export function App() {
  const { is_operator: isOperator, is_guest: isGuest } = useAccount()
  return (
    <Router base="/app">
      <Frame>
        <Suspense fallback={<Skeleton />}>
          <Switch>
            {isGuest && <Route component={AccountScreen} />}
            <Route path="/" component={PagesScreen} />
            <Route path="/new" component={NewPageScreen} />
            <Route path="/pages" component={() => <Redirect to="" replace />} />
            <Route<PageParams> path="/pages/:id/:tab?/:item?">
              {({ id, tab }) => <PageScreen key={id} id={id} tab={tab ?? ''} />}
            </Route>
            <Route path="/inbox" component={InboxScreen} />
            <Route path="/analytics" component={AnalyticsScreen} />
            <Route path="/developer" component={DeveloperScreen} />
            <Route path="/account" component={AccountScreen} />
            {isOperator && (
              <Route<AdminParams> path="/admin/:part?">
                {({ part }) => <OperatorScreen part={part ?? ''} />}
              </Route>
            )}
            <Route component={NotFound} />
          </Switch>
        </Suspense>
      </Frame>
    </Router>
  )
}
