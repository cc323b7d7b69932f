import { describe, expect, it } from 'bun:test'
import { Refusal } from '../../model/errors.ts'
import { createContentSpace, type DiskSpace } from '../../platform/content-space.ts'
import { createImportLimits, receive } from './import-limits.ts'

const spaceOf = (disk: () => DiskSpace) => createContentSpace('', disk)

const MB = 1024 * 1024
const GB = 1024 * MB

/** The code of what is thrown, or `done`. */
async function codeOf(act: () => unknown): Promise<string> {
  try {
    await act()
    return 'done'
  } catch (err) {
    return err instanceof Refusal ? err.code : String(err)
  }
}

describe('what imports may take', () => {
  it('is for two imports of an account, and four of all accounts', async () => {
    const limits = createImportLimits({ freeBytes: () => GB })
    const ends = ['a', 'a', 'b'].map((account) => limits.begin(account))
    expect(await codeOf(() => limits.begin('a'))).toBe('import_running')
    expect(await codeOf(() => limits.begin('c'))).toBe('done')
    expect(await codeOf(() => limits.begin('d'))).toBe('too_many_imports')
    ends[0]!()
    expect(await codeOf(() => limits.begin('d'))).toBe('done')
    expect(await codeOf(() => limits.begin('a'))).toBe('too_many_imports')
  })

  it('is what the disk has free, but for a part that others need', async () => {
    const cases: [free: number, total: number, bytes: number, expected: string][] = [
      [101 * GB, 500 * GB, 100 * GB, 'done'],
      [101 * GB, 500 * GB, 100 * GB + 1, 'storage_full'],
      [10 * GB, 10 * GB, 9.5 * GB, 'done'],
      [10 * GB, 10 * GB, 9.6 * GB, 'storage_full'],
      [100 * MB, 500 * GB, 1, 'storage_full'],
      [GB, 500 * GB, 0, 'done'],
    ]
    for (const [free, total, bytes, expected] of cases) {
      const limits = createImportLimits(spaceOf(() => ({ free_bytes: free, total_bytes: total })))
      const codes = [
        await codeOf(() => limits.assertFits(bytes)),
        await codeOf(() => limits.assertArchiveFits(bytes)),
      ]
      expect([free, bytes, codes]).toEqual([free, bytes, [expected, expected]])
    }
  })
})

describe('an archive that arrives', () => {
  const file = { append: async () => {} }

  async function* sent(...pieces: (string | Error)[]) {
    for (const piece of pieces) {
      if (piece instanceof Error) throw piece
      yield Buffer.from(piece, 'latin1')
    }
  }

  it('is refused by its first bytes where it is no zip', async () => {
    const later = new Error('read on')
    for (const [pieces, expected] of [
      [['GIF89a', later], 'not_an_archive'],
      [['P', 'X', later], 'not_an_archive'],
      [['P', 'K', '\x03', '\x04', 'x', later], 'Error: read on'],
      [['PK\x05\x06', later], 'Error: read on'],
      [[], 'done'],
    ] as const) {
      const receiving = () => receive(sent(...pieces), file)
      expect([pieces, await codeOf(receiving)]).toEqual([pieces, expected])
    }
  })

  it('is refused where it would take days', async () => {
    const kilobyte = 'PK\x03\x04'.padEnd(1024)
    for (const [msEach, expected] of [
      [30, 'done'],
      [62, 'done'],
      [70, 'body_timeout'],
    ] as const) {
      let ms = 0
      const elapsedMs = () => (ms += msEach)
      const pieces = Array.from({ length: 2000 }, () => kilobyte)
      const receiving = () => receive(sent(...pieces), file, elapsedMs)
      expect([msEach, await codeOf(receiving)]).toEqual([msEach, expected])
    }
  })
})
