import { describe, expect, it } from 'bun:test'
import { batchesOf } from './rows.ts'

const MB = 1024 * 1024

/** Rows as an archive has them. */
function rowsOf(count: number, text: string) {
  return async function* () {
    for (let id = 0; id < count; id++) {
      const row = { id, text }
      yield [row, JSON.stringify(row).length] as const
    }
  }
}

describe('the rows of an archive', () => {
  it('are read in their order, as often as they are asked for', async () => {
    const rows = await batchesOf(rowsOf(1201, 'é\n"'))
    for (let run = 0; run < 2; run++) {
      const all = (await Array.fromAsync(rows)).flat()
      expect([rows.count, all.length]).toEqual([1201, 1201])
      expect(all.every((row, id) => row.id === id && row.text === 'é\n"')).toBe(true)
    }
  })

  it('are in memory by batches of a bounded size, however many and long they are', async () => {
    const text = 'x'.repeat(200 * 1024)
    for (const [rows, length] of [
      [await batchesOf(rowsOf(60, text)), 60],
      [await batchesOf(rowsOf(5000, 'x')), 5000],
    ] as const) {
      const batches = await Array.fromAsync(rows)
      expect(batches.flat()).toHaveLength(length)
      expect(Math.max(...batches.map((batch) => JSON.stringify(batch).length))).toBeLessThan(MB)
      expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(500)
    }
  })

  it('are checked before any of them is stored', async () => {
    const read = async function* () {
      yield [1, 1] as const
      throw new Error('The second row is wrong')
    }
    expect(batchesOf(read)).rejects.toThrow('The second row is wrong')
  })

  it('may be none', async () => {
    const none = await batchesOf(rowsOf(0, ''))
    expect([none.count, await Array.fromAsync(none)]).toEqual([0, []])
  })
})
