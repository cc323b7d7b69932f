import { createServer } from '../server.ts'
import type { TestApp } from './app.ts'
import { NO_ASSETS } from './no-assets.ts'
import { withOwnMetrics } from './node.ts'

/**
 * A server on the service's data that records what it counts.
 *
 * @param isFast whether it has the fast path, which answers from memory
 */
export function serverOf(app: TestApp, isFast: boolean) {
  const effects: unknown[] = []
  const counters = { fast: 0, lookUps: 0 }
  const { views, pages } = app
  const watched = {
    ...app,
    pages: {
      ...pages,
      cachedPage(slug: string) {
        counters.lookUps += 1
        return isFast ? pages.cachedPage(slug) : undefined
      },
      cachedPageById: (id: string) => (isFast ? pages.cachedPageById(id) : undefined),
      findPublishedById(id: string) {
        counters.lookUps += 1
        return pages.findPublishedById(id)
      },
    },
    views: {
      ...views,
      countAtOnce(...given: Parameters<typeof views.countAtOnce>) {
        if (!views.countAtOnce(...given)) return false
        counters.fast += 1
        effects.push(given)
        return true
      },
      async count(...given: Parameters<typeof views.count>) {
        const isGranted = await views.count(...given)
        if (isGranted) effects.push(given)
        return isGranted
      },
      countFacts(...given: Parameters<typeof views.countFacts>) {
        effects.push(given)
        views.countFacts(...given)
      },
    },
  }
  const parts = { assets: NO_ASSETS }
  const { fetch } = createServer(withOwnMetrics(app.platform), watched, parts)

  async function ask(request: Request) {
    effects.length = 0
    const answer = await fetch(request)
    const { status, statusText, headers } = answer
    const body = Buffer.from(await answer.arrayBuffer()).toString('latin1')
    return { status, statusText, headers: [...headers], body, effects: [...effects] }
  }
  return { ask, counters }
}
