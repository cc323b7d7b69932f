import { describe, expect, it } from 'bun:test'
import { ENGINES, testApp } from '../../testing/app.ts'
import { createForm, type TestForm, times } from '../../testing/test-form.ts'

const KIB = 1024
const MIB = 1024 * KIB
const LONG = 'x'.repeat(240 * KIB)

/** Reads all pages by following `next_offset`. */
async function pagesOf(form: TestForm, query: string) {
  const pages = []
  for (let offset: number | null = 0; offset !== null; offset = pages.at(-1)!.next_offset) {
    pages.push(await form.report(`?${query}&offset=${offset}`))
  }
  return pages
}

for (const engine of ENGINES) {
  describe(`large responses on ${engine}`, () => {
    it('are fewer than `limit` in one answer, and each is listed once in all', async () => {
      await using app = await testApp(engine)
      const form = await createForm(app, await app.owner())
      for (const n of times(90, (at) => at)) await form.send(`device ${n}`, { n, a: LONG })
      const pages = await pagesOf(form, 'limit=1000')
      expect(pages.length).toBeGreaterThan(1)
      const results = pages.flatMap(({ responses }) => responses.map(({ data }) => data.n))
      expect(results).toEqual(times(90, (at) => 89 - at))
      for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(32 * MIB)
    })
  })
}
