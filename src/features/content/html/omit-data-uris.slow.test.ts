import { describe, expect, test } from 'bun:test'
import { processorMs } from '../../../testing/processor-time.ts'
import { containsPlaceholder, countUris, findLongDataUris, withoutUris } from './omit-data-uris.ts'

function omitDataUris(html: string) {
  const uris = findLongDataUris(html)
  return { html: withoutUris(html, uris), elided: countUris(uris) }
}

describe('two hostile megabytes are read in time', () => {
  for (const seed of [
    '"data:,',
    "'data:text/plain,",
    '(data:,',
    '&quot;data:,',
    '\\"data:,',
    'data:,',
    ' data:,x',
    '"data:;base64,A',
    '(data:;base64,A ',
    '<script>"data:,\\',
    '<script>\\"data:,',
    'data:',
    '\\',
    '<script',
    'srcset="data:,',
    '"data:image/png;',
    '"data:;base64,&#61;',
    '<script>`data:,\\`',
    'ELIDED-BY-SERVICE-1',
    '          data:,',
  ]) {
    test(seed, () => {
      const html = seed.repeat(2_000_000 / seed.length)
      for (const input of [html, `${html}"`, `${html})`]) {
        const took = processorMs(() => {
          omitDataUris(input)
          containsPlaceholder(input)
        })
        expect(took).toBeLessThan(2500)
      }
    })
  }
})
