import { createReadStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder, writeWhole } from '../durable-files.ts'
import { newSha256 } from '../secrets.ts'
import { type BackupStore, backupTime } from './index.ts'

const UNFINISHED = /^(handbill-[\dTZ-]+\.zip)\.\d+\.part$/

/**
 * Keeps backups in a folder, which must be there: one that was made instead of a disk that is not
 * mounted would fill the wrong disk.
 */
export function backupFolder(folder: string): BackupStore {
  const hasTime = (name: string | undefined) => name !== undefined && backupTime(name) !== null
  return {
    place: folder,
    async put(name, content) {
      const path = join(folder, name)
      await writeWhole(path, content)
      return { sizeBytes: (await stat(path)).size }
    },
    async hashOf(name) {
      const sum = newSha256()
      for await (const chunk of createReadStream(join(folder, name))) sum.update(chunk)
      return sum.digest('hex')
    },
    list: async () => (await readdir(folder)).filter(hasTime).sort(),
    async delete(name) {
      await rm(join(folder, name), { force: true })
      await syncFolder(folder)
    },
    async deleteUnfinished() {
      for (const name of await readdir(folder)) {
        if (hasTime(UNFINISHED.exec(name)?.[1])) await rm(join(folder, name), { force: true })
      }
    },
  }
}
