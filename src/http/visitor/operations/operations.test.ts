import { describe, expect, it } from 'bun:test'
import { z } from 'zod'
import { submitResponse } from '../../../features/responses/contract.ts'
import { FORM_CODES } from '../../../model/error-codes/index.ts'
import { refuse } from '../../../model/errors.ts'
import { limitsOf, visitorContractsOf, visitorOperationsOf } from '../../../model/operation.ts'
import { createServer } from '../../../server.ts'
import { BASE_URL, ENGINES, type TestApp, testApp } from '../../../testing/app.ts'
import { createBrowser } from '../../../testing/browser.ts'
import { confirmAddress, openPage, publishForm } from '../../../testing/form-page.ts'
import { NO_ASSETS } from '../../../testing/no-assets.ts'
import { withOwnMetrics } from '../../../testing/node.ts'

const ratePage = visitorContractsOf('visitor', {
  maxBytes: 4096,
  tooLarge: 'This is more than a rating.',
})({
  summary: 'Rate a page.',
  http: { method: 'POST', path: '/~/ratings', status: 201 },
  limits: limitsOf('rating', { address: 4, viewer: 2 }),
  input: z.strictObject({ stars: z.int().min(1).max(5) }),
  output: z.object({ data: z.object({ by: z.string(), stars: z.int() }) }),
  errors: ['closed'],
})

/** A server with one visitor operation, built from a contract and a handler. */
function withRatings(app: TestApp) {
  const ratings: object[] = []
  const visitorOperations = visitorOperationsOf(
    { ratePage },
    {
      ratePage: async ({ page, viewer, source }, { stars }) => {
        if (stars === 5) throw refuse.conflict('closed', 'No page is that good.')
        ratings.push({ page: page.id, email: viewer.email, path: source.path, stars })
        return { by: viewer.displayName, stars, key: viewer.key }
      },
    },
  )
  const server = createServer(
    withOwnMetrics(app.platform),
    { ...app, visitorOperations },
    { assets: NO_ASSETS },
  )
  async function send(body: object, method = 'POST') {
    const init = { method, ...(method === 'POST' && { body: JSON.stringify(body) }) }
    const answer = await server.fetch(new Request(`${BASE_URL}/~/ratings`, init))
    return { status: answer.status, headers: answer.headers, body: await answer.json() }
  }
  return { ratings, send }
}

for (const engine of ENGINES) {
  describe(`a visitor operation on ${engine}`, () => {
    it('is given the page and the viewer of its token, and answers what its contract names', async () => {
      await using app = await testApp(engine)
      const { ratings, send } = withRatings(app)
      const ann = 'ann@example.com'
      const { page, path } = await publishForm(app, { access: 'people', allowed_emails: [ann] })
      const opened = await openPage(await confirmAddress(app, path, ann), path)
      const { status, headers, body } = await send({ ...opened, stars: 3 })
      expect([status, body]).toEqual([201, { data: { by: ann, stars: 3 } }])
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(ratings).toEqual([{ page: page.id, email: ann, path: '', stars: 3 }])
    })

    it('is refused before its handler runs, and its handler may refuse', async () => {
      await using app = await testApp(engine)
      const { ratings, send } = withRatings(app)
      const { owner, page, path } = await publishForm(app)
      const opened = await openPage(createBrowser(app), path)
      const outcome = async (body: object, method?: string) => {
        const answer = await send(body, method)
        const { code, message, ...others } = answer.body.error
        expect(message).toMatch(/[.!]$/)
        return `${answer.status} ${[code, ...Object.entries(others).flat()].join(' ')}`
      }
      expect(await outcome({ ...opened, stars: 6 })).toBe('400 invalid_data param stars')
      expect(await outcome({ ...opened, stars: 1, more: 1 })).toBe('400 invalid_data param more')
      expect(await outcome({ ...opened, stars: 1, trap: 'x'.repeat(5000) })).toBe('413 too_large')
      expect(await outcome({ ...opened, stars: 1, trap: 'x' })).toBe('400 spam')
      expect(await outcome({ ...opened, stars: 1, token: 'x' })).toBe('403 stale')
      expect(await outcome({}, 'GET')).toBe('405 method_not_allowed')
      await owner.update(page.id, { access: 'private' })
      expect(await outcome({ ...opened, stars: 1 })).toBe('403 stale')
      expect(ratings).toEqual([])
      await owner.update(page.id, { access: 'link' })
      expect(await outcome({ ...opened, stars: 5 })).toBe('409 closed')
    })

    it('is limited by its own limits', async () => {
      await using app = await testApp(engine, { rateLimits: true })
      const { ratings, send } = withRatings(app)
      const { path } = await publishForm(app)
      const statuses: number[] = []
      for (const viewer of [1, 2, 3]) {
        const opened = await openPage(createBrowser(app), path)
        for (const stars of [1, 2, 3]) {
          if (viewer < 3 || stars === 1) statuses.push((await send({ ...opened, stars })).status)
        }
      }
      expect(statuses).toEqual([201, 201, 429, 201, 429, 429, 429])
      expect(ratings).toHaveLength(3)
    })
  })
}

it('every code of the reference of forms is one that submitResponse can refuse with', () => {
  const ofRoute = ['stale', 'spam', 'gone', 'not_published', 'expired', 'view_limit', 'link_closed']
  const codes = [...submitResponse.errors, ...ofRoute, 'rate_limited']
  expect<string[]>([...FORM_CODES].sort()).toEqual([...new Set(codes)].sort())
})
