/** Queues and sends mails until it is killed: `outbox-child.ts DATABASE SMTP_URL ROUND`. */
import { composeMail, createOutbox } from '../features/mail/index.ts'
import { createClock } from '../platform/clock.ts'
import { openPostgres } from '../platform/db/postgres.ts'
import { openSqlite } from '../platform/db/sqlite.ts'
import { smtpTransport } from '../platform/mail/smtp.ts'
import { silentLog } from './silent-log.ts'

const [address = '', smtpUrl = '', round] = process.argv.slice(2)
const database = address.startsWith('postgres') ? await openPostgres(address) : openSqlite(address)
const transport = smtpTransport(smtpUrl, 'pages@example.com')
const outbox = createOutbox({ database, clock: createClock(), transport, log: silentLog() })
await outbox.start()
for (let n = 0; ; n++) {
  const subject = `mail ${round} ${n}`
  const words = { to: 'ann@example.org', subject, paragraphs: ['x'], reason: 'A test.' }
  await database.write((tx) => outbox.put(tx, composeMail(words)))
  process.stdout.write(`${subject}\n`)
  await Bun.sleep(2)
}
