import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'

const HANDBILL = join(import.meta.dir, '../../../bin/handbill')
const READY_MS = 20_000

export interface Child {
  url: string
  /** The first account's first key, where this start has made it. */
  key: string | null
  /** `kill -9`. Resolves once it is dead. */
  kill(): Promise<void>
}

/** A real server process on a free port of loopback, ready to answer. */
export async function startChild(
  dataDir: string,
  given: Record<string, string> = {},
): Promise<Child> {
  const port = await freePort()
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
      ...given,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = killing(child)
  const said = await announced(child)
  const [, key = null] = /^First key +(sm_\w+)/m.exec(said) ?? []
  return { url: `http://127.0.0.1:${port}`, key, kill }
}

function killing(child: ChildProcess): () => Promise<void> {
  const dead = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const kill = () => child.kill('SIGKILL')
  // No server outlives its test, however that ends.
  process.once('exit', kill)
  dead.then(() => process.off('exit', kill))
  return () => {
    kill()
    return dead
  }
}

/** What it prints once it listens. */
function announced(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = ''
    let err = ''
    const fail = (why: string) => reject(new Error(`The server ${why}:\n${out}${err}`))
    const timer = setTimeout(() => fail('did not start'), READY_MS)
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      err += text
    })
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text
      if (/^Data folder .*\n/m.test(out)) resolve(out)
    })
    child.once('exit', (code, signal) => fail(`ended with ${code ?? signal}`))
    child.once('exit', () => clearTimeout(timer))
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })
}
