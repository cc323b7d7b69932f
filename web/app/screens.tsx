import { Redirect, Route, Switch } from 'wouter-preact'
import { useAccount } from './account.ts'
import { NotFound } from './frame/screen.tsx'
import { lazyScreen } from './ui/lazy.tsx'

const PageScreen = lazyScreen(() => import('./page/page.tsx'))
const NewPageScreen = lazyScreen(() => import('./new-page/new-page.tsx'))
const InboxScreen = lazyScreen(() => import('./inbox/inbox.tsx'))
const AnalyticsScreen = lazyScreen(() => import('./analytics/analytics.tsx'))
const DeveloperScreen = lazyScreen(() => import('./developer/developer.tsx'))
const AccountScreen = lazyScreen(() => import('./account/account.tsx'))
const OperatorScreen = lazyScreen(() => import('./operator/operator.tsx'))

type PageParams = {
  id: string
  tab?: string
  item?: string
}

type AdminParams = { part?: string }

/** Every screen but the list has an address here, and is loaded when it is opened. */
export function Screens() {
  const { is_operator: isOperator, is_guest: isGuest } = useAccount()
  return (
    <Switch>
      {isGuest && <Route component={AccountScreen} />}
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
  )
}
