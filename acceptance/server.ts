/**
 * The server under test: the one at HANDBILL_URL, or one of our own in a new data folder, which the
 * first test file starts and all share.
 */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../src/testing/free-port.ts'
import { addAccounts, type Plan } from './add-accounts.ts'
import { origin, unreachable } from './origin.ts'

export type { Plan }

interface Keys {
  readonly pro: string
  readonly free: string
  readonly team: string
  /** Another Pro account. */
  readonly other: string
}

export interface Server {
  /** Without a slash at the end. */
  readonly url: string
  readonly keys: Keys
  /** Absent with HANDBILL_URL: then there is no command and no data folder. */
  readonly own: OwnServer | undefined
}

export interface OwnServer {
  readonly dataDir: string
  readonly env: Record<string, string>
}

export interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export const handbill = join(import.meta.dir, '..', 'bin', 'handbill')

/** The developer's settings that a server of our own takes over. */
const TAKEN_OVER = /^(DATABASE_URL|S3_[A-Z_]+)$/

export const server: Server = await meetServer()

async function meetServer(): Promise<Server> {
  const url = process.env.HANDBILL_URL
  if (!url) return startServer()
  return {
    url: url.replace(/\/+$/, ''),
    keys: {
      pro: requiredVariable('HANDBILL_API_KEY'),
      free: requiredVariable('HANDBILL_FREE_KEY'),
      team: requiredVariable('HANDBILL_TEAM_KEY'),
      other: requiredVariable('HANDBILL_OTHER_KEY'),
    },
    own: undefined,
  }
}

function requiredVariable(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`HANDBILL_URL is set, so ${name} must be set too.`)
  return value
}

async function startServer(): Promise<Server> {
  // Not a guarded folder: that of a server that failed is kept.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'handbill-acceptance-')))
  const env = ownEnvironment(freePort(), folder)
  const dataDir = env.DATA_DIR!
  await serve(env)
  // The first account is the operator.
  const [pro, free, team, other] = await newKeys(env, ['pro', 'free', 'team', 'pro'])
  const keys = { pro: pro!, free: free!, team: team!, other: other! }
  return { url: env.BASE_URL!, keys, own: { dataDir, env } }
}

/** The environment of a server of our own, whose data is in the folder. */
export function ownEnvironment(port: number, folder: string): Record<string, string> {
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    TMPDIR: tmpdir(),
    DATA_DIR: join(folder, 'data'),
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    RATE_LIMITS: 'off',
    FETCH_ALLOWED_HOSTS: [origin.host, unreachable.host].join(','),
    NODE_EXTRA_CA_CERTS: join(import.meta.dir, 'fixtures', 'origin-cert.pem'),
  }
  for (const [name, value] of Object.entries(process.env)) {
    if (value && TAKEN_OVER.test(name)) env[name] = value
  }
  return env
}

/**
 * Starts a server and waits until it is ready. When this process ends in any way, the pipe to the
 * guardian closes, which then sends SIGTERM to the server: `bun test` runs no exit hooks. The
 * guardian removes the folder, unless the server failed or HANDBILL_KEEP is set.
 */
async function serve(env: Record<string, string>): Promise<void> {
  const folder = join(env.DATA_DIR!, '..')
  const log = join(folder, 'server.log')
  const script = [
    'exec 3<&0',
    '"$1" serve </dev/null >"$2" 2>&1 3<&- & pid=$!',
    '{ cat <&3 >/dev/null; kill -TERM $pid; } & watcher=$!',
    'wait $pid || { code=$?; kill $watcher; exit $code; }',
    '[ -n "$HANDBILL_KEEP" ] || rm -rf "$3"',
  ].join('\n')
  const keep = process.env.HANDBILL_KEEP ?? ''
  const guardian = Bun.spawn(['sh', '-c', script, 'guardian', handbill, log, folder], {
    cwd: folder,
    env: { ...env, HANDBILL_KEEP: keep },
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
  })
  guardian.unref()
  if (await becomesReady(env.BASE_URL!, () => guardian.exitCode !== null)) return
  const output = await Bun.file(log).text()
  rmSync(folder, { recursive: true, force: true })
  throw new Error(`bin/handbill serve did not become ready. Its output:\n${output}`)
}

async function becomesReady(url: string, ended: () => boolean): Promise<boolean> {
  const deadline = Date.now() + 240_000
  while (Date.now() < deadline && !ended()) {
    const status = await fetch(`${url}/readyz`).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) return true
    await Bun.sleep(25)
  }
  return false
}

/** Runs a `bin/handbill` command with a server's environment, from another folder. */
export function command(env: Record<string, string>, ...args: string[]): Promise<CommandResult> {
  return runProgram([handbill, ...args], env)
}

export async function runProgram(
  args: string[],
  env: Record<string, string>,
  cwd = tmpdir(),
): Promise<CommandResult> {
  const child = Bun.spawn(args, {
    cwd,
    env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, stdout, stderr }
}

/** Creates an account on a server of our own. @returns its key */
export async function newKey(env: Record<string, string>, plan: Plan): Promise<string> {
  const [key] = await newKeys(env, [plan])
  return key!
}

async function newKeys(env: Record<string, string>, plans: readonly Plan[]): Promise<string[]> {
  const accounts = plans.map((plan) => ({
    email: `${plan}-${crypto.randomUUID().slice(0, 8)}@handbill.example`,
    plan,
  }))
  return addAccounts(env, accounts)
}

/** The server of our own, for tests that are skipped without one. */
export function ownServer(): OwnServer {
  if (!server.own) throw new Error('This test needs a server of its own.')
  return server.own
}

/** The server's log so far. */
export function serverLog(): string {
  return readFileSync(join(ownServer().dataDir, '..', 'server.log'), 'utf8')
}
