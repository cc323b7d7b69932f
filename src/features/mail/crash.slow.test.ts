import { expect, it } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { createClock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/index.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { openPostgres } from '../../platform/db/postgres.ts'
import { openSqlite } from '../../platform/db/sqlite.ts'
import { smtpTransport } from '../../platform/mail/smtp.ts'
import { ENGINES, type Engine, MINUTE_MS } from '../../testing/app.ts'
import { migratedDatabase } from '../../testing/migrated.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { testSecrets } from '../../testing/test-secrets.ts'
import { createOutbox } from './index.ts'

const CHILD = join(import.meta.dir, '../../testing/outbox-child.ts')
const ROUNDS = 4
const MAX_WORKERS = 4

/** An SMTP server that records the subject of each whole message and acknowledges it late. */
async function slowServer() {
  const subjects: string[] = []
  const pace = { delay_ms: 20 }
  let arrived = () => {}
  const nextMail = () =>
    new Promise<void>((resolve) => {
      arrived = resolve
    })
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _session, done) {
      let data = ''
      stream.on('data', (chunk: Buffer) => {
        data += chunk.toString()
      })
      stream.on('end', () => {
        subjects.push(/^Subject: (.*)\r$/m.exec(data)?.[1] ?? '')
        arrived()
        setTimeout(done, pace.delay_ms)
      })
    },
  })
  smtp.on('error', () => {})
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as { port: number }
  const close = () => new Promise<void>((resolve) => smtp.close(() => resolve()))
  return { subjects, pace, nextMail, url: `smtp://127.0.0.1:${port}`, close }
}

async function databaseOf(engine: Engine, folder: string) {
  if (engine === 'postgres') {
    const { url, drop } = await migratedDatabase()
    return { address: url, open: () => openPostgres(url), drop }
  }
  const address = join(folder, 'test.db')
  const database = openSqlite(address)
  await migrate(database, testSecrets)
  await database.close()
  const open = async (): Promise<Database> => openSqlite(address)
  return { address, open, drop: async () => {} }
}

/**
 * Kills the child some time after its first mail has arrived.
 * @returns the subjects of mails whose commit the child reported before
 */
async function runAndKill(args: string[], firstMail: Promise<void>): Promise<string[]> {
  const child = Bun.spawn([process.execPath, CHILD, ...args], { stdout: 'pipe' })
  firstMail.then(() => setTimeout(() => child.kill('SIGKILL'), Math.random() * 150))
  const subjects: string[] = []
  let rest = ''
  for await (const chunk of child.stdout) {
    const lines = (rest + new TextDecoder().decode(chunk)).split('\n')
    rest = lines.pop() ?? ''
    subjects.push(...lines)
  }
  await child.exited
  return subjects
}

for (const engine of ENGINES) {
  it(`no kill -9 loses a mail that was committed, on ${engine}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'handbill-crash-'))
    const { address, open, drop } = await databaseOf(engine, folder)
    const smtp = await slowServer()
    const committed: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      committed.push(...(await runAndKill([address, smtp.url, String(round)], smtp.nextMail())))
    }
    expect(committed.length).toBeGreaterThan(ROUNDS)

    smtp.pace.delay_ms = 0
    const sentBefore = smtp.subjects.length
    const database = await open()
    // The leases of the killed processes are over.
    const clock = createClock(() => Date.now() + 6 * MINUTE_MS)
    const transport = smtpTransport(smtp.url, 'pages@example.com')
    const outbox = createOutbox({ database, clock, transport, log: silentLog() })
    const sentAfter = await outbox.flush()
    await outbox.stop()
    await database.close()
    await smtp.close()
    await drop()
    rmSync(folder, { recursive: true })

    const arrived = new Set(smtp.subjects)
    expect(committed.filter((subject) => !arrived.has(subject))).toEqual([])
    // The test shows something only where some mails were sent before the last kill, and some not.
    expect([sentBefore > 0, sentAfter > 0]).toEqual([true, true])
    expect(smtp.subjects).toHaveLength(sentBefore + sentAfter)
    // A mail arrived twice only where a child was killed before it could record that it was sent.
    expect(smtp.subjects.length - arrived.size).toBeLessThanOrEqual(ROUNDS * MAX_WORKERS)
  }, 240_000)
}
