/** Servers that a single test starts, stops and kills. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../src/testing/free-port.ts'
import { guardedFolder } from './guardian.ts'
import { handbill, ownEnvironment } from './server.ts'

const folders: string[] = []
const running = new Set<Bun.Subprocess>()

/** Kills servers that a failed test left running, and removes their folders. For `afterAll`. */
export async function cleanUp(): Promise<void> {
  for (const child of running) child.kill('SIGKILL')
  await Promise.all([...running].map((child) => child.exited))
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

/** The environment of a new server, on SQLite because a shared database would hold other data. */
export function freshEnvironment(): Record<string, string> {
  const folder = guardedFolder('acceptance-')
  const { DATABASE_URL: _, ...env } = ownEnvironment(freePort(), folder)
  folders.push(folder)
  return env
}

/** A program that serves the data of `env` with another public base URL, as behind a proxy. */
export function behindProxy(env: Record<string, string>, address: string): string {
  const program = join(env.DATA_DIR!, '..', 'behind-proxy')
  const script = `#!/bin/sh\nBASE_URL='${address}' exec '${handbill}' "$@"\n`
  writeFileSync(program, script, { mode: 0o755 })
  return program
}

/** Starts a server, and records its output. */
export async function start(env: Record<string, string>, program = handbill) {
  const child = Bun.spawn([program, 'serve'], {
    cwd: join(env.DATA_DIR!, '..'),
    env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  running.add(child)
  child.exited.then(() => running.delete(child))
  let output = ''
  const listen = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const piece of stream) output += decoder.decode(piece, { stream: true })
  }
  const outputEnded = Promise.all([listen(child.stdout), listen(child.stderr)])
  const deadline = Date.now() + 120_000
  for (;;) {
    const ready = await fetch(`${env.BASE_URL}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    )
    if (ready) break
    if (Date.now() > deadline || child.exitCode !== null) {
      child.kill()
      throw new Error(`the server did not become ready; its output:\n${output}`)
    }
    await Bun.sleep(20)
  }
  return {
    pid: child.pid,
    output: () => output,
    stop: async () => {
      child.kill('SIGTERM')
      const code = await child.exited
      await outputEnded
      return code
    },
    kill: async () => {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}
