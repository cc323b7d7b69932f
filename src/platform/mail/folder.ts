import { existsSync, mkdirSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { writeWhole } from '../durable-files.ts'
import type { Log } from '../log.ts'
import { Disclosed } from '../log-values.ts'
import { isStorageFull } from '../outages.ts'
import { composed, type Message, type Transport } from './index.ts'

/**
 * Replaces a mail server: it writes every mail to a file that any mail program opens. It logs the
 * subject and the first link, so that the operator can follow it.
 */
export function folderTransport(folder: string, from: string, log: Log): Transport {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  let composer: ReturnType<typeof createComposer> | undefined

  return {
    delivers: false,
    async send(mail: Message) {
      const { id, to, subject } = mail
      const parts = composed(mail, from)
      composer ??= createComposer()
      const { message } = await (await composer).sendMail(parts)
      const file = join(folder, `${id}.eml`)
      const link = /https?:\/\/\S+/.exec(mail.text)?.[0]
      // Logs normally hide one-time links. Here the log is the only way to get this one.
      const fields = { to, subject, link: link === undefined ? null : new Disclosed(link), file }
      await writeWhole(file, message as Buffer).catch((err) => {
        // Whoever frees the disk may have to sign in first.
        if (isStorageFull(err)) log.warn('no space to write a mail to a file', fields)
        throw err
      })
      log.info('mail written to a file', fields)
      return file
    },
    async close() {},
  }
}

/** Deletes the mails that were written to a folder before a time, also where none is any more. */
export async function sweepFolder(folder: string, beforeMs: number): Promise<void> {
  if (!existsSync(folder)) return
  const names = await readdir(folder)
  for (const name of names.filter((each) => /^mail_\w+\.eml(?:\.\w+)*$/.test(each))) {
    const file = join(folder, name)
    const { mtimeMs } = await stat(file)
    if (mtimeMs < beforeMs) await rm(file, { force: true })
  }
}

/** Loads its library at the first mail, not at the start. */
async function createComposer() {
  const { createTransport } = await import('nodemailer')
  return createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
}
