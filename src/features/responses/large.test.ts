import { describe, expect, it } from 'bun:test'
import { ENGINES, testApp } from '../../testing/app.ts'
import { createForm, type TestForm, times } from '../../testing/test-form.ts'
import { MAX_SAMPLES_LENGTH } from './contract.ts'

const KIB = 1024
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
    it('and their rows continue at the same offset', async () => {
      await using app = await testApp(engine)
      const form = await createForm(app, await app.owner())
      const list = times(7, (item) => ({ item }))
      for (const n of times(12, (at) => at)) await form.send(`device ${n}`, { n, a: LONG, list })
      const pages = await pagesOf(form, 'limit=50')
      const rows = pages.flatMap((page) => page.rows.map(({ values }) => [values.n, values.item]))
      expect(rows).toEqual(times(84, (at) => [11 - Math.floor(at / 7), at % 7]))
      const matches = pages.flatMap(({ responses }) => responses.map(({ data }) => data.n))
      expect(matches).toEqual(times(12, (at) => 11 - at))
      expect(pages[0]!.rows.length).toBeLessThan(50)
      expect(pages[0]!.next_offset).toBe(pages[0]!.rows.length)
    })

    it('have samples with a common limit, newest first', async () => {
      await using app = await testApp(engine)
      const form = await createForm(app, await app.owner())
      const fields = times(40, (field) => [`f${field}`, 'é'.repeat(2 * KIB)])
      const all = Object.fromEntries(fields)
      for (const n of times(60, (at) => at)) await form.send(`device ${n}`, { ...all, n: `${n}` })
      const { summaries } = await form.report('?limit=1')
      const samples = summaries.flatMap((each) => each.samples ?? [])
      const length = samples.reduce((sum, { value }) => sum + value.length, 0)
      expect(length).toBeLessThan(MAX_SAMPLES_LENGTH)
      expect(summaries.find(({ key }) => key === 'n')!.samples!.map(({ value }) => value)).toEqual(
        times(50, (at) => `${59 - at}`),
      )
      expect(summaries[0]!.samples!.length).toBeGreaterThan(40)
      expect(summaries[0]!.answered).toBe(60)
    })
  })
}
