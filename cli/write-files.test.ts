import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { saveFolder } from './write-files.ts'

function fileOf(path: string) {
  return { path, chunks: () => new Blob([`bytes of ${path}`]).stream() }
}

test('files of a deck that are one file on this drive do not replace each other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'handbill-'))
  try {
    const files = [fileOf('A.html'), fileOf('a.html')]
    // A drive that tells no case apart finds A.html by both names, as this link does.
    symlinkSync('A.html', join(folder, 'a.html'))
    await expect(saveFolder(folder, files, true)).rejects.toThrow(
      `A.html and a.html are one file in ${folder}: pull it on another drive.`,
    )
    expect(readFileSync(join(folder, 'A.html'), 'utf8')).toBe('bytes of A.html')
    rmSync(join(folder, 'a.html'))
    // Twice: what an earlier pull has saved is replaced.
    for (const force of [true, true]) {
      expect(await saveFolder(folder, files, force)).toEqual(['A.html', 'a.html'])
    }
    expect(readFileSync(join(folder, 'a.html'), 'utf8')).toBe('bytes of a.html')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
