import { expect, test } from 'bun:test'
import { LOCKED_PDF } from '../../testing/locked-pdf.ts'
import { NO_ASSETS } from '../../testing/no-assets.ts'
import { samplePdf } from '../../testing/sample-pdf.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { threads } from '../../testing/threads.ts'
import type { ReleaseFile } from '../content/index.ts'
import { createWatermarks } from './index.ts'

const TEXTS = { who: ['ann@example.com'], note: '28 Nov 2026, 09:00 UTC · docs.example' }

/** Marks of files that are asked for by the bytes themselves. */
function marksOf(bytes: Uint8Array) {
  let reads = 0
  const watermarks = createWatermarks({
    ...{ threads, log: silentLog(), pathOf: NO_ASSETS.path },
    content: {
      bytes: async () => {
        reads += 1
        return bytes.slice()
      },
      holdMemory: (_size, work) => work(),
    },
  })
  const mime = 'application/pdf'
  const file = { hash: 'a', mime, size_bytes: bytes.byteLength } as ReleaseFile
  return {
    copyFor: (name: string) => watermarks.copyOf(file, { ...TEXTS, who: [name] }),
    reads: () => reads,
  }
}

test('a copy is made once for all who ask for it, and another for another person', async () => {
  const { copyFor, reads } = marksOf(samplePdf({ pages: 3 }))
  const all = await Promise.all(Array.from({ length: 10 }, () => copyFor('ann@example.com')))
  expect(new Set(all).size).toBe(1)
  expect(reads()).toBe(1)
  expect(await copyFor('ben@example.com')).not.toEqual(all[0]!)
  expect(reads()).toBe(2)
})

test('more than twenty copies at once are not begun', async () => {
  const { copyFor, reads } = marksOf(samplePdf({ pages: 1 }))
  const names = Array.from({ length: 25 }, (_, no) => `person ${no}`)
  const all = await Promise.all(names.map(copyFor))
  expect([all.filter((copy) => copy === 'busy').length, reads()]).toEqual([5, 20])
})

test('what is locked, damaged or no PDF is never given as it is', async () => {
  const damaged = samplePdf({ pages: 3 }).slice(0, 300)
  for (const bytes of [LOCKED_PDF, damaged, new Uint8Array(40)]) {
    expect(await marksOf(bytes).copyFor('ann@example.com')).toBe('failed')
  }
})
