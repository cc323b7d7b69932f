import { describe, expect, test } from 'bun:test'
import { attacks } from '../../../testing/html-attacks.ts'
import { processorMs } from '../../../testing/processor-time.ts'
import { scanHtml, scanScript } from './scan.ts'

describe('using storage', () => {
  test.each([
    ...['.', '. ', '[ ', '["cookie', 'document', 'document, ', 'document ,"cookie '],
    ...['cookie ', 'cookie } = ', 'cookie}=a.', 'cookie } = window . '],
  ])('takes time in proportion to the length: %j', (seed) => {
    const text = `document cookie${seed.repeat(Math.ceil(2_000_000 / seed.length))}`
    expect(processorMs(() => scanScript(Buffer.from(text)))).toBeLessThan(2500)
  })
})

describe('what is mended in the sandbox', () => {
  test.each(['<a ', '<a x', 'download ', '.svg', 'new ', 'tex', 'toBlo'])(
    'takes time in proportion to the length: %j',
    (seed) => {
      const text = seed.repeat(Math.ceil(2_000_000 / seed.length))
      expect(processorMs(() => scanScript(Buffer.from(text)))).toBeLessThan(2500)
    },
  )
})

describe('two hostile megabytes are scanned in time, with small results', () => {
  for (const [name, bytes] of attacks(2_000_000)) {
    test(name, () => {
      let facts!: ReturnType<typeof scanHtml>
      const took = processorMs(() => {
        facts = scanHtml(bytes)
      })
      expect(took).toBeLessThan(8000)
      expect(facts.controls.length).toBeLessThanOrEqual(500)
      expect(JSON.stringify(facts).length).toBeLessThan(1_000_000)
    })
  }
})
