/** A provider that does not answer: each test waits until it is given up. */
import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { testApp } from '../../testing/app.ts'
import { createBrowser } from '../../testing/browser.ts'
import { startTestProvider, type TestProvider } from '../../testing/test-provider.ts'

const START = '/app/sign-in/sso'

let provider: TestProvider
beforeAll(async () => {
  provider = await startTestProvider()
})
afterAll(() => provider.close())

/** The status and the heading of a page that signs nobody in, and that leads to the mail link. */
async function refusal(answer: Response): Promise<[number, string]> {
  const text = await answer.text()
  expect(text).toContain('href="/app/sign-in')
  expect(answer.headers.getSetCookie().join()).not.toContain('session=')
  return [answer.status, /<h1>(.*?)<\/h1>/.exec(text)![1]!]
}

describe('a provider that is away', () => {
  it('is asked for its metadata once by all who wait, and holds up nobody else', async () => {
    await using app = await testApp('sqlite', { singleSignOn: provider.settings() })
    const before = provider.requests.length
    provider.setFault({ answer: () => new Promise(() => {}) })
    const waiting = Promise.all(Array.from({ length: 20 }, () => createBrowser(app).get(START)))
    expect((await createBrowser(app).get('/app/sign-in')).status).toBe(200)
    for (const answer of await waiting) {
      expect(await refusal(answer)).toEqual([503, 'The sign-in does not answer'])
    }
    expect(provider.requests.length - before).toBe(1)
  }, 240_000)

  it('that stops in the middle of an answer is given up, too', async () => {
    await using app = await testApp('sqlite', { singleSignOn: provider.settings() })
    provider.setFault({
      answer: () => {
        const start = (controller: ReadableStreamDefaultController) =>
          controller.enqueue(new TextEncoder().encode('{"issuer":'))
        return new Response(new ReadableStream({ start }), {
          headers: { 'content-type': 'application/json' },
        })
      },
    })
    const answer = await createBrowser(app).get(START)
    expect(await refusal(answer)).toEqual([503, 'The sign-in does not answer'])
  }, 240_000)
})
