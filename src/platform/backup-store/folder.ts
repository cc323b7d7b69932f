import { createReadStream } from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { statOf, syncPath, writeWhole } from '../durable-files.ts'
import { sha256Of } from '../ids.ts'
import { type BackupStore, backupTime } from './index.ts'

const UNFINISHED = /^(handbill-[\dTZ-]+\.zip)\.\d+\.part$/

/**
 * Stores backups in a folder, which must exist: a folder made in place of an unmounted disk would
 * fill the wrong disk.
 */
export function backupFolder(folder: string): BackupStore {
  const hasTime = (name: string) => backupTime(name) !== null

  async function sizeOf(name: string): Promise<number | null> {
    const stats = await statOf(join(folder, name))
    return stats?.size ?? null
  }

  return {
    place: folder,
    async put(name, content) {
      const path = join(folder, name)
      await writeWhole(path, content)
      return { sizeBytes: (await stat(path)).size }
    },
    hashOf: (name) => sha256Of(createReadStream(join(folder, name))),
    /** Leaves out files that are deleted during the listing. */
    async list() {
      const names = (await namesIn(folder)).filter(hasTime).sort()
      const sizes = await Promise.all(names.map(sizeOf))
      return names.flatMap((name, at) => {
        const sizeBytes = sizes[at]!
        return sizeBytes === null ? [] : [{ name, sizeBytes }]
      })
    },
    sizeOf,
    async read(name, { start, end }) {
      await using file = await open(join(folder, name))
      const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), { position: start })
      if (bytesRead === end - start) return buffer
      throw new Error(`${name} ends before byte ${end}`)
    },
    pathOf: (name) => join(folder, name),
    async delete(name) {
      await rm(join(folder, name), { force: true })
      await syncPath(folder)
    },
    async deleteUnfinished() {
      for (const name of await namesIn(folder)) {
        if (hasTime(UNFINISHED.exec(name)?.[1] ?? '')) await rm(join(folder, name), { force: true })
      }
    },
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'ENOENT') throw err
    throw new Error(`There is no folder ${folder}: mount its disk, or make it`)
  }
}
