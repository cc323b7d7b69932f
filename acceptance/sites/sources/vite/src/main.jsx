import { lazy, StrictMode, Suspense, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter, HashRouter, Link, Route, Routes } from 'react-router'
import hero from './hero.png'
import './main.css'

// A build with relative addresses keeps its route in the fragment.
const Router = import.meta.env.MODE === 'fragment' ? HashRouter : BrowserRouter
const Orders = lazy(() => import('./orders.jsx'))

function Home() {
  const [sum, setSum] = useState('')
  useEffect(() => {
    const worker = new Worker(new URL('./sum.worker.js', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }) => setSum(data)
    worker.postMessage([3, 5, 8])
    return () => worker.terminate()
  }, [])
  return (
    <>
      <h1>Orchard</h1>
      <img src={hero} width="170" alt="A tree" />
      <p>{sum === '' ? 'Counting' : `The worker counted ${sum} trees.`}</p>
    </>
  )
}

function Icon({ name }) {
  return (
    <svg className="icon" role="presentation" aria-hidden="true">
      <use href={`${import.meta.env.BASE_URL}icons.svg#${name}-icon`} />
    </svg>
  )
}

createRoot(document.getElementById('root')).render(
  <StrictMode>
    <Router>
      <nav>
        <Link to="/">
          <Icon name="leaf" />
          Home
        </Link>{' '}
        <Link to="/orders">
          <Icon name="box" />
          Orders
        </Link>
      </nav>
      <main>
        <Suspense fallback={<p>Loading</p>}>
          <Routes>
            <Route path="/" element={<Home />} />
            <Route path="/orders" element={<Orders />} />
            <Route path="*" element={<h1>Nothing grows here</h1>} />
          </Routes>
        </Suspense>
      </main>
      <footer className="basket">Picked by hand</footer>
    </Router>
  </StrictMode>,
)
