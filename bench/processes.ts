import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const SERVER_CORE = 0
export const LOAD_CORE = 1

type Child = Bun.Subprocess<'ignore', Bun.BunFile, Bun.BunFile>

const children = new Set<Child>()
let root: string | undefined

/** The folder of this run, made at the first call. */
export function benchFolder(): string {
  root ??= realpathSync(mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'handbill-bench-')))
  return root
}

export function newFolder(name: string): string {
  const folder = join(benchFolder(), `${name}-${crypto.randomUUID().slice(0, 8)}`)
  mkdirSync(folder)
  return folder
}

interface SpawnOptions {
  cwd: string
  env: Record<string, string>
  log: string
  core?: number
}

/** Starts a server on a core. Its output goes to `log`, and its errors to `${log}.err`. */
export function spawnServer(
  command: string[],
  { cwd, env, log, core = SERVER_CORE }: SpawnOptions,
): Child {
  const child = Bun.spawn(['taskset', '-c', String(core), ...command], {
    cwd,
    env,
    stdin: 'ignore',
    stdout: Bun.file(log),
    stderr: Bun.file(`${log}.err`),
  })
  children.add(child)
  return child
}

export async function stop(child: Child): Promise<void> {
  child.kill('SIGTERM')
  await child.exited
  children.delete(child)
}

/** Stops every running server: a failed figure may have left some. */
export async function stopServers(): Promise<void> {
  await Promise.all([...children].map(stop))
}

/** Stops every server of the run and deletes its folder. */
export async function cleanUp(): Promise<void> {
  await stopServers()
  if (root !== undefined) rmSync(root, { recursive: true, force: true })
}

/** Runs a command on a core. @throws with its output when it fails */
export async function runOn(core: number, command: string[]): Promise<string> {
  const child = Bun.spawn(['taskset', '-c', String(core), ...command], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(`${command.join(' ')} exited ${code}:\n${stdout}${stderr}`)
  return stdout
}

/** Resolves once the URL answers 200. */
export async function waitUntilReady(url: string, child: Child, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (performance.now() < deadline && child.exitCode === null) {
    const status = await fetch(url, { keepalive: false }).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) return
    await Bun.sleep(1)
  }
  throw new Error(`${url} did not answer`)
}
