import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { bundle } from '../build.ts'

test('the panel with all of its tabs weighs at most 30 KB', async () => {
  const script = await bundle(join(import.meta.dir, 'main.ts'), 'iife')
  const zippedBytes = gzipSync(script, { level: 9 }).byteLength
  expect(zippedBytes).toBeLessThanOrEqual(30_000)
  const text = new TextDecoder().decode(script)
  expect(text, 'nothing that a policy of scripts would refuse').not.toMatch(
    /outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/,
  )
})

test('the script for cards, which wide windows load, weighs at most 4 KB', async () => {
  const script = await bundle(join(import.meta.dir, 'cards/main.ts'))
  expect(gzipSync(script, { level: 9 }).byteLength).toBeLessThanOrEqual(4000)
})

test('the panel makes no HTML from text: Preact could, where a component asked for it', async () => {
  const sources = new Bun.Glob('{panel,threads}/**/*.{ts,tsx}').scanSync(
    join(import.meta.dir, '..'),
  )
  const files = [...sources].filter((file) => !file.includes('.test.'))
  expect(files.length).toBeGreaterThan(10)
  for (const file of files) {
    const text = await Bun.file(join(import.meta.dir, '..', file)).text()
    expect([file, /innerHTML|srcdoc/i.test(text)]).toEqual([file, false])
  }
})
