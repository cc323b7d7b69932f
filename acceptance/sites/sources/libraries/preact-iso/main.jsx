/** @jsxImportSource preact */
import { render } from 'preact'
import { ErrorBoundary, LocationProvider, lazy, Route, Router } from 'preact-iso'

const Depth = lazy(() => import('./depth.jsx'))
const Home = () => <p>There are {4 * 4} wells.</p>
const Nothing = () => <p>No well is here.</p>

render(
  <LocationProvider>
    <nav>
      <a href="/">Home</a> <a href="/depth">Depth</a>
    </nav>
    <ErrorBoundary>
      <Router>
        <Route path="/" component={Home} />
        <Route path="/depth" component={Depth} />
        <Route default component={Nothing} />
      </Router>
    </ErrorBoundary>
  </LocationProvider>,
  document.getElementById('app'),
)
