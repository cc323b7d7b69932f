import { describe, expect, it } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTemporaryFiles } from '../../platform/temporary-files.ts'
import { createStagingFile, stageRows } from './rows.ts'

const MB = 1024 * 1024

async function* rowsOf(count: number, text: string) {
  for (let id = 0; id < count; id++) yield { id, text }
}

async function withStaging(test: (staging: ReturnType<typeof createStagingFile>) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'handbill-staging-'))
  const staging = createStagingFile(createTemporaryFiles(folder).create)
  try {
    await test(staging)
    expect(readdirSync(folder)).toEqual([])
  } finally {
    await staging.close()
    rmSync(folder, { recursive: true })
  }
}

describe('staged rows', () => {
  it('are read in their order, as often as a transaction runs, from a file without a name', () =>
    withStaging(async (staging) => {
      const first = await stageRows(staging, rowsOf(1201, 'é\n"'))
      const second = await stageRows(staging, rowsOf(3, 'other'))
      for (let run = 0; run < 2; run++) {
        const rows = [...first].flat()
        expect([first.count, rows.length]).toEqual([1201, 1201])
        expect(rows.every((row, id) => row.id === id && row.text === 'é\n"')).toBe(true)
        expect([...second]).toEqual([[0, 1, 2].map((id) => ({ id, text: 'other' }))])
      }
    }))

  it('are in memory by batches of a bounded size, however many and long they are', () =>
    withStaging(async (staging) => {
      const text = 'x'.repeat(200 * 1024)
      for (const [rows, length] of [
        [await stageRows(staging, rowsOf(60, text)), 60],
        [await stageRows(staging, rowsOf(5000, 'x')), 5000],
      ] as const) {
        const sizes = [...rows].map((batch) => JSON.stringify(batch).length)
        expect([...rows].flat()).toHaveLength(length)
        expect(Math.max(...sizes)).toBeLessThan(MB)
        expect(Math.max(...[...rows].map((batch) => batch.length))).toBeLessThanOrEqual(500)
      }
    }))

  it('of nothing need no file', () =>
    withStaging(async (staging) => {
      const none = await stageRows(staging, rowsOf(0, ''))
      expect([none.count, [...none]]).toEqual([0, []])
    }))
})
