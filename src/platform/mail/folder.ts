import { mkdirSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Log } from '../log.ts'
import { Disclosed } from '../log-values.ts'
import type { Message, Transport } from './index.ts'

/**
 * Without a mail server: each mail is a file that any mail program opens, and its subject and first
 * link are in the log, so that whoever runs the service can still follow it.
 */
export function folderTransport(folder: string, from: string, log: Log): Transport {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })

  return {
    async send({ id, to, subject, text, html, headers }: Message) {
      const address = { name: '', address: to }
      const mail = {
        from,
        to: address,
        messageId: `<${id}@localhost>`,
        subject,
        text,
        html,
        headers,
      }
      const { message } = await composer.sendMail(mail)
      const file = join(folder, `${id}.eml`)
      await writeFile(`${file}.half`, message as Buffer, { mode: 0o600 })
      await rename(`${file}.half`, file)
      const link = /https?:\/\/\S+/.exec(text)?.[0]
      // One-time links are kept out of logs; here the log is how this one gets to its reader.
      const disclosed = link === undefined ? null : new Disclosed(link)
      log.info('mail written to a file', { to, subject, link: disclosed, file })
    },
    async close() {},
  }
}
