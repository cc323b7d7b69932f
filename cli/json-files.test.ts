import { expect, it } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeJson } from './json-files.ts'
import { saveFolder } from './write-files.ts'

it('names the file that cannot be written, and why', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'handbill-'))
  try {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const path = join(file, 'deeper/config.json')
    const reason = 'a part of its path is not a folder'
    expect(() => writeJson(path, {}, 0o600)).toThrow(`Cannot write ${path}: ${reason}.`)
    const deck = join(file, 'deck')
    await expect(
      saveFolder(deck, [{ path: 'b.html', chunks: async function* () {} }], false),
    ).rejects.toThrow(`${deck}/b.html cannot be written: ${reason}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
