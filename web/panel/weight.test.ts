import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { bundle } from '../build.ts'

test('the panel with all of its tabs weighs at most 30 KB', async () => {
  const script = await bundle(join(import.meta.dir, 'main.ts'), 'iife')
  const zippedBytes = gzipSync(script, { level: 9 }).byteLength
  expect(zippedBytes).toBeLessThanOrEqual(30_000)
  const text = new TextDecoder().decode(script)
  expect(text, 'no HTML from text, and nothing that a policy of scripts would refuse').not.toMatch(
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/,
  )
})
