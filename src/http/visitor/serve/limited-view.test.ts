import { describe, expect, it } from 'bun:test'
import { BASE_URL, ENGINES, testApp } from '../../../testing/app.ts'
import { createLimitedView, type LimitedView } from './limited-view.ts'

const GENERAL = 'the general answer'

/** @param answers of the counter, in turn */
function viewOf(answers: (boolean | Error)[]) {
  let tries = 0
  const show = createLimitedView({
    views: {
      async count() {
        const answer = answers[tries++]!
        if (answer instanceof Error) throw answer
        return answer
      },
    },
    serve: () => new Response(GENERAL, { status: 410 }),
  })
  const publishedPage = { page: { id: 'pg_1' } } as LimitedView['publishedPage']
  const cached = new Response('the page', { headers: { etag: '"a"' } })
  const view = { limited: true, notify: false }
  const request = new Request(`${BASE_URL}/p/page`)
  return {
    view: (of = publishedPage) => show({ request, publishedPage: of, cached, view }),
    another: { ...publishedPage },
    tries: () => tries,
  }
}

describe('a view of a page with a limit on the fast path', () => {
  it('is answered by a copy of the cached response once it is counted', async () => {
    const { view } = viewOf([true, true])
    for (let n = 0; n < 2; n++) {
      const answer = await view()
      expect(answer!.headers.get('etag')).toBe('"a"')
      expect(await answer!.text()).toBe('the page')
    }
  })

  it('is answered by the general path where the limit leaves none, until the page changes', async () => {
    const { view, another, tries } = viewOf([false, true])
    const refused = await view()
    expect([refused!.status, await refused!.text()]).toEqual([410, GENERAL])
    expect(view()).toBeNull()
    expect(tries()).toBe(1)
    expect(await (await view(another))!.text()).toBe('the page')
  })

  it('fails where it cannot be counted, and is tried again', async () => {
    const { view } = viewOf([new Error('disk full'), true])
    expect(await view()!.catch((err: Error) => err.message)).toBe('disk full')
    expect(await (await view())!.text()).toBe('the page')
  })
})

for (const engine of ENGINES) {
  describe(`a page with a limit on ${engine}`, () => {
    it('is shown to as many of those who come at once, and again where the limit is raised', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish('<p>Limited', { max_views: 30 })
      const shown = async (requests: number) => {
        const answers = await Promise.all(
          Array.from({ length: requests }, () => app.open(`/p/${slug}`)),
        )
        const texts = await Promise.all(answers.map((answer) => answer.text()))
        const statuses = answers.map(({ status }) => status)
        for (const [at, text] of texts.entries()) {
          expect(text.includes('<p>Limited')).toBe(statuses[at] === 200)
        }
        return statuses.filter((status) => status === 200).length
      }
      // The first one puts the answer into memory.
      expect(await shown(1)).toBe(1)
      expect(await shown(50)).toBe(29)
      expect(await shown(5)).toBe(0)
      expect((await owner.page(id)).views).toBe(30)
      await owner.update(id, { max_views: 34 })
      expect(await shown(20)).toBe(4)
      expect((await owner.page(id)).views).toBe(34)
    })
  })
}
