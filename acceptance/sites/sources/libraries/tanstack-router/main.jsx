import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'

const root = createRootRoute({
  component: () => (
    <>
      <nav>
        <Link to="/">Home</Link> <Link to="/locks">Locks</Link>
      </nav>
      <Outlet />
    </>
  ),
})
const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: () => <p>The canal is {8 * 9} km long.</p>,
})
const locks = createRoute({
  getParentRoute: () => root,
  path: '/locks',
  loader: () => import('./locks.js').then(({ locks }) => locks),
  component: () => <p>{locks.useLoaderData()} locks lift the boats.</p>,
})

const router = createRouter({ routeTree: root.addChildren([home, locks]) })
createRoot(document.getElementById('app')).render(<RouterProvider router={router} />)
