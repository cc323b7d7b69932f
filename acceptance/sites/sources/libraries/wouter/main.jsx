import { createRoot } from 'react-dom/client'
import { Link, Route, Switch } from 'wouter'

function App() {
  return (
    <>
      <nav>
        <Link href="/">Home</Link> <Link href="/spans">Spans</Link>
      </nav>
      <Switch>
        <Route path="/">There are {5 * 3} bridges.</Route>
        <Route path="/spans">The widest spans 90 metres.</Route>
        <Route>No bridge leads here.</Route>
      </Switch>
    </>
  )
}

createRoot(document.getElementById('app')).render(<App />)
