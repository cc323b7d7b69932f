import { createServer } from '../server.ts'
import type { TestApp } from './app.ts'
import { NO_ASSETS } from './no-assets.ts'
import { withOwnMetrics } from './node.ts'

/**
 * A server on the service's data that records what it counts.
 *
 * @param isWarm whether it has pages and responses in memory; otherwise each page is as just read
 */
export function serverOf(app: TestApp, isWarm: boolean) {
  const effects: unknown[] = []
  const counters = { reads: 0 }
  const { views, pages } = app
  const asRead = <T>(page: T): T => (isWarm || page === undefined ? page : { ...page })
  const watched = {
    ...app,
    pages: {
      ...pages,
      cachedPage: (slug: string) => (isWarm ? pages.cachedPage(slug) : undefined),
      cachedPageById: (id: string) => (isWarm ? pages.cachedPageById(id) : undefined),
      async findPublished(slug: string) {
        counters.reads += 1
        return asRead(await pages.findPublished(slug))
      },
      async findPublishedById(id: string) {
        counters.reads += 1
        return asRead(await pages.findPublishedById(id))
      },
    },
    views: {
      ...views,
      isLimitReached(pageId: string) {
        counters.reads += 1
        return views.isLimitReached(pageId)
      },
      count(...args: Parameters<typeof views.count>) {
        const isGranted = views.count(...args)
        const note = (granted: boolean) => {
          if (granted) effects.push(args)
          return granted
        }
        return isGranted instanceof Promise ? isGranted.then(note) : note(isGranted)
      },
      countFacts(...inputs: Parameters<typeof views.countFacts>) {
        effects.push(inputs)
        views.countFacts(...inputs)
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
