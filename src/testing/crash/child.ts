import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'

const HANDBILL = join(import.meta.dir, '../../../bin/handbill')
const START_TIMEOUT_MS = 120_000

export interface Child {
  url: string
  pid: number
  /** The first account's API key, which only the first start prints; else null. */
  key: string | null
  /** What it has logged. */
  log(): string
  /** Sends SIGKILL. Resolves once the process has exited. */
  kill(): Promise<void>
}

/**
 * Starts a server process on a loopback port, which `PORT` names or which is free. Resolves once it
 * accepts requests.
 */
export async function startChild(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<Child> {
  const port = Number(settings.PORT ?? freePort())
  const child = spawn(HANDBILL, ['serve'], {
    cwd: dataDir,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATA_DIR: join(dataDir, 'data'),
      SETUP_EMAIL: 'owner@example.com',
      DEFAULT_PLAN: 'pro',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = killerOf(child)
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const output = await untilStarted(child)
  const [, key = null] = /^First key +(sm_\w+)/m.exec(output) ?? []
  return { url: `http://127.0.0.1:${port}`, pid: child.pid!, key, log: () => log, kill }
}

function killerOf(child: ChildProcess): () => Promise<void> {
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const kill = () => child.kill('SIGKILL')
  // The server ends with the test process.
  process.once('exit', kill)
  exited.then(() => process.off('exit', kill))
  return () => {
    kill()
    return exited
  }
}

/** Resolves with what the server printed until it listens. */
function untilStarted(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = ''
    let err = ''
    const fail = (reason: string) => reject(new Error(`The server ${reason}:\n${out}${err}`))
    const timer = setTimeout(() => fail('did not start'), START_TIMEOUT_MS)
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      err += text
    })
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text
      if (/^Data folder .*\n/m.test(out)) resolve(out)
    })
    // Once all that it wrote was read.
    child.once('close', (code, signal) => fail(`ended with ${code ?? signal}`))
    child.once('exit', () => clearTimeout(timer))
  })
}
