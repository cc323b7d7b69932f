import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { CommandFailed, type Output } from '../../cli/output.ts'
import { type BackupResult, examine, type Finding, writeBackup } from '../features/backup/index.ts'
import { FILES_LEASE } from '../features/content/index.ts'
import { findWithoutContent } from '../features/pages/index.ts'
import { findWithoutContent as findVersions } from '../features/versions/index.ts'
import { count } from '../model/numbers.ts'
import type { Leases } from '../platform/db/leases.ts'
import { writeWhole } from '../platform/durable-files.ts'
import { backupDeps, openBackupStore } from './backup-source.ts'
import type { Runtime } from './runtime.ts'
import { keyFits } from './start-check.ts'

/** Most sweeps of files are over by then. */
const FILES_WAIT_MS = 60_000

/** Writes a backup to a new file, beside a running server. The file appears once it is complete. */
export async function createBackup(
  { config, platform, leases }: Runtime,
  file: string,
  output: Output,
): Promise<void> {
  const path = resolve(file)
  if (existsSync(path)) throw new CommandFailed(`${path} is there already: name a new file.`)
  const folder = dirname(path)
  if (!existsSync(folder)) throw new CommandFailed(`There is no folder ${folder}: make it first.`)
  const result: BackupResult = { rows: 0, files: 0, damaged: [] }
  const chunks = writeBackup(backupDeps(config, platform), result)
  await withFiles(leases, () => writeWhole(path, untilStopped(chunks)))
  const { rows, files, damaged } = result
  const { size } = await stat(path)
  output.say([
    `Wrote ${path}: ${count(rows, 'row')} and ${count(files, 'file')}.`,
    config.secretKey === null
      ? 'It holds the key of the server and addresses of people: keep it as you keep a password.'
      : 'SECRET_KEY is not in it: keep it elsewhere, since the backup is of little use without it.',
  ])
  const summary = { file: path, size_bytes: size, rows, files, damaged }
  if (damaged.length === 0) return output.result(summary, [])
  const message = `${damaged.length} files are missing or damaged, and not in the backup.`
  throw new CommandFailed(`${message} handbill doctor names them.`, summary)
}

/** Fails once the command is to stop, so that no part of a backup is left: it holds the key. */
function untilStopped(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let isStopped = false
  const stop = () => {
    isStopped = true
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  async function* pieces() {
    for await (const chunk of chunks) {
      if (isStopped) throw new CommandFailed('Stopped: no backup was written.')
      yield chunk
    }
  }
  return pieces()
}

/** Works while no other process deletes files. */
async function withFiles(leases: Leases, work: () => Promise<void>): Promise<void> {
  for (const end = performance.now() + FILES_WAIT_MS; performance.now() < end; ) {
    if ((await leases.run(FILES_LEASE, work)) !== null) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new CommandFailed(
    'Another backup is being made, or unused files are being deleted: try again in a few minutes.',
  )
}

/** Checks all stored data, and says how to repair it. Fails if something is wrong. */
export async function runDoctor(
  { app, config, platform, logProblem }: Runtime,
  output: Output,
): Promise<void> {
  const { database, blobs } = platform
  const { backup } = config
  const findings: Finding[] = []
  const steps = examine({
    database,
    blobs,
    logProblem,
    async findWithoutContent(limit) {
      const [pages, versions] = await Promise.all([
        findWithoutContent(database.read, [limit]),
        findVersions(database.read, [limit]),
      ])
      return [...new Set([...pages, ...versions])]
    },
    keyFits: () => keyFits({ app, platform }),
    ...(backup && {
      listBackups: async () => (await openBackupStore(backup.target)).list(),
    }),
  })
  for await (const finding of steps) {
    const { check, isOk, message, cure } = finding
    findings.push(finding)
    const line = `${isOk ? 'ok   ' : 'WRONG'}  ${check.padEnd(8)}  ${message}`
    output.say(cure === null ? [line] : [line, `                 ${cure}`])
  }
  const wrong = findings.filter(({ isOk }) => !isOk)
  const result = findings.map(({ isOk, ...rest }) => ({ ...rest, is_ok: isOk }))
  if (wrong.length === 0) return output.result(result, [])
  throw new CommandFailed(
    `Something is wrong: ${wrong.map(({ check }) => check).join(', ')}.`,
    result,
  )
}
