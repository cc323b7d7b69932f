import { describe, expect, test } from 'bun:test'
import { attacks } from '../../../testing/html-attacks.ts'
import { processorMs } from '../../../testing/processor-time.ts'
import { releaseFile } from '../release-file.ts'
import { findScriptNeeds } from './origin-needs.ts'

const PATHS = new Set([
  ...['index.html', 'about.html', 'docs/index.html', 'data.json', 'é b.png', 'worker.js'],
  ...['assets/hero-1.png', '_next/a.js'],
])
const DECK = { paths: PATHS, entry: 'index.html' }

describe('the scan', () => {
  const seeds = [
    ...['"', '"/', '`/', '"/x', '"/data.jsonx"', '"/about.html"', ' ', '\n', 'pushState('],
    ...['new SharedWorker ', 'serviceWorker .', '*/ "/docs/"', 'x'.repeat(500)],
    ...['=="/data.json"', 'open( "" , "', `"/${'a/'.repeat(200)}"`],
  ]
  test.each(seeds)('takes time in proportion to the length: %j', (seed) => {
    const text = seed.repeat(Math.ceil(2_000_000 / seed.length))
    const spent = processorMs(() => findScriptNeeds({ text, firstLine: 1 }, PATHS))
    expect(spent).toBeLessThan(2500)
  })

  test.each(attacks(200_000))('ends in hostile HTML: %s', (_name, bytes) => {
    const mime = 'text/html'
    const file = { bytes: Buffer.from(bytes), path: 'index.html', mime, deck: DECK, isEntry: true }
    expect(releaseFile(file).facts.html).not.toBeNull()
  })
})
