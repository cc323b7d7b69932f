import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { freePort } from './free-port.ts'
import { copyBinaries, findBinaries, findOwner } from './postgres-binaries.ts'

export interface FreshDatabase {
  url: string
  drop(): Promise<void>
}

export interface PostgresServer {
  /** The URL of the database `postgres`, for its superuser. */
  url: string
  /** The postmaster's, for tests that kill it. */
  pid: number
  freshDatabase(): Promise<FreshDatabase>
  stop(): Promise<void>
}

export interface PostgresOptions {
  /**
   * With PostgreSQL's own settings, for measurements. Off by default: tests are faster without
   * durable commits, which only a crash of the system needs.
   */
  isAsInstalled?: boolean
}

const ATTEMPTS = 3
const START_MS = 60_000
const POLL_MS = 5

/** With ICU collation, as on most servers, so that no query can rely on the order of bytes. */
const CLUSTER = [
  ...['--username=postgres', '--auth=password', '--pwfile=password', '--encoding=UTF8'],
  ...['--locale=C', '--locale-provider=icu', '--icu-locale=en-US'],
  ...['--no-sync', '--no-instructions'],
  // Each connection computes these: the default of 4,096 takes a quarter of its processor time.
  '--set=scram_iterations=1',
]

const FAST = {
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  deadlock_timeout: '20ms',
  // Long, so that a test of durability does not pass by the background writer's work.
  wal_writer_delay: '10s',
}

/**
 * Runs the server until standard input closes, which happens however this process ends. The signal
 * is repeated, because a server that is just starting ignores it.
 * `$1` is the folder, `$2` initdb with its options, `$3` the server with its options.
 */
const SUPERVISE = `
trap '' INT TERM HUP
export LC_ALL=C TZ=UTC
exec 3<&0 </dev/null
if eval "$2" >log 2>&1; then
  eval "exec $3" >>log 2>&1 3<&- &
  server=$!
  { cat <&3 >/dev/null; while [ -d data ] && kill -QUIT $server; do sleep 0.1; done; } 2>/dev/null &
  wait $server
fi
tail -n 20 log >&2
rm -rf "$1"
`

/** A new, empty database on the server that all tests of this process share. */
export async function freshDatabase(): Promise<FreshDatabase> {
  return (await sharedPostgres()).freshDatabase()
}

/** Started at the first call; on `globalThis`, as `bun test` loads this file for each test file. */
export function sharedPostgres(): Promise<PostgresServer> {
  const shared = globalThis as { handbill_postgres?: Promise<PostgresServer> }
  shared.handbill_postgres ??= startPostgres()
  return shared.handbill_postgres
}

/**
 * Starts PostgreSQL on a free port of 127.0.0.1, in a temporary folder. Both are gone after `stop`,
 * or when this process ends.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await launch(freePort(), options)
    } catch (err) {
      // Another process may have taken the port in between.
      if (attempt === ATTEMPTS) throw err
    }
  }
}

async function launch(
  port: number,
  { isAsInstalled = false }: PostgresOptions,
): Promise<PostgresServer> {
  const owner = findOwner()
  const installed = findBinaries(owner)
  const folder = mkdtempSync(join(tmpdir(), 'handbill-postgres-'))
  const password = randomBytes(16).toString('hex')
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password)
  const { initdb, postgres } = installed ?? copyBinaries(owner, folder)
  if (owner.uid !== undefined) {
    // A test of this process may have set a mask by which others could not read it.
    for (const path of [folder, passwordFile]) chownSync(path, owner.uid, owner.gid!)
  }
  const cluster = isAsInstalled ? CLUSTER : [...CLUSTER, '--wal-segsize=1']
  const options = { ...settings(port), ...(!isAsInstalled && FAST) }
  const init = [quote(initdb), '-D', 'data', ...cluster].join(' ')
  const serve = [quote(postgres), '-D', 'data', ...asArguments(options)].join(' ')
  const supervisor = spawn('/bin/sh', ['-c', SUPERVISE, 'sh', folder, init, serve], {
    ...owner,
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const pid = await waitUntilReady(supervisor, join(folder, 'data', 'postmaster.pid'))
  return serverOf(supervisor, pid, `postgres://postgres:${password}@127.0.0.1:${port}/`)
}

function settings(port: number) {
  return {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: "''",
    max_connections: 200,
  }
}

function asArguments(options: Record<string, string | number>): string[] {
  return Object.entries(options).map(([name, value]) => `-c ${name}=${value}`)
}

/** Waits for `ready` on line 8 of the postmaster's pid file. @returns the pid, on line 1 */
async function waitUntilReady(supervisor: ChildProcess, pidFile: string): Promise<number> {
  const errors: string[] = []
  supervisor.stderr?.setEncoding('utf8').on('data', (text: string) => errors.push(text))
  const ended = new Promise<'ended'>((resolve) => supervisor.once('close', () => resolve('ended')))
  const deadline = Date.now() + START_MS
  while (Date.now() < deadline) {
    const lines = readIfExists(pidFile).split('\n')
    if (lines[7]?.trim() === 'ready') return Number(lines[0])
    const pause = new Promise<'paused'>((resolve) => setTimeout(resolve, POLL_MS, 'paused'))
    if ((await Promise.race([ended, pause])) === 'ended') break
  }
  supervisor.stdin?.end()
  throw new Error(`PostgreSQL did not start:\n${errors.join('')}`)
}

function serverOf(supervisor: ChildProcess, pid: number, root: string): PostgresServer {
  const admin = new SQL(`${root}postgres`, { max: 1 })
  supervisor.unref()
  let count = 0
  return {
    url: `${root}postgres`,
    pid,
    async freshDatabase() {
      const name = `test_${++count}`
      await admin.unsafe(`CREATE DATABASE ${name} STRATEGY WAL_LOG`)
      return {
        url: `${root}${name}`,
        async drop() {
          await waitUntilUnused(admin, name)
          await admin.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
        },
      }
    },
    async stop() {
      await admin.close({ timeout: 0 })
      if (supervisor.exitCode !== null) return
      const ended = new Promise((resolve) => supervisor.once('exit', resolve))
      supervisor.stdin?.end()
      await ended
    },
  }
}

/** DROP DATABASE would sleep 100 ms where a connection is just closing. */
async function waitUntilUnused(admin: SQL, name: string): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const open = await admin`SELECT 1 FROM pg_stat_activity WHERE datname = ${name}`
    if (open.length === 0) return
    await Bun.sleep(2)
  }
}

function readIfExists(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function quote(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`
}
