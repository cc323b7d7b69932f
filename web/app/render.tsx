import { renderToString } from 'preact-render-to-string'
import { createQueryClient } from './api.ts'
import { type Address, Root } from './app.tsx'
import { type Boot, FIRST_PAGES } from './boot.ts'

export { type Address, type Boot, FIRST_PAGES }

/**
 * What the document shows before its script runs: the list of pages, or the frame of another
 * screen, by the components that take it over. It runs on the server, where nothing may be kept
 * between two documents: the query client is that of one.
 */
export function renderDashboard(boot: Boot, address: Address): string {
  const shared = { boot, client: createQueryClient(), address }
  return renderToString(<Root {...shared} Screens={() => null} />)
}
