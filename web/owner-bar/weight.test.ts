import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { bundle } from '../build.ts'

test('the script of the owner’s bar weighs at most 2 KB, and its styles too', async () => {
  const script = await bundle(join(import.meta.dir, 'main.ts'), 'iife')
  const styles = await Bun.file(join(import.meta.dir, 'bar.css')).bytes()
  const zippedBytes = [script, styles].map((bytes) => gzipSync(bytes, { level: 9 }).byteLength)
  expect(Math.max(...zippedBytes)).toBeLessThanOrEqual(2_000)
  const text = new TextDecoder().decode(script)
  expect(text, 'no HTML from text, and nothing that a policy of scripts would refuse').not.toMatch(
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/,
  )
})
