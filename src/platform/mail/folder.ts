import { mkdirSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Log } from '../log.ts'
import { Disclosed } from '../log-values.ts'
import { assertPlainAddress, type Message, messageIdOf, type Transport } from './index.ts'

/**
 * Without a mail server: each mail is a file that any mail program opens, and its subject and first
 * link are in the log, so that whoever runs the service can still follow it.
 */
export function folderTransport(folder: string, from: string, log: Log): Transport {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })

  return {
    async send({ id, to, subject, text, html, headers }: Message) {
      assertPlainAddress(to)
      const { message } = await composer.sendMail({
        from,
        to: { name: '', address: to },
        messageId: messageIdOf(id, from),
        subject,
        text,
        html,
        headers,
      })
      const file = join(folder, `${id}.eml`)
      await writeSynced(`${file}.half`, message as Buffer)
      await rename(`${file}.half`, file)
      await syncFolder(folder)
      const link = /https?:\/\/\S+/.exec(text)?.[0]
      // One-time links are kept out of logs; here the log is how this one gets to its reader.
      const disclosed = link === undefined ? null : new Disclosed(link)
      log.info('mail written to a file', { to, subject, link: disclosed, file })
    },
    async close() {},
  }
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
