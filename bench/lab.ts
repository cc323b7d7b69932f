import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Row } from './report.ts'

export const SERVER_CORE = 0
export const LOAD_CORE = 1

/** One figure, or a family of them: starts what it needs, stops it, and tells its rows. */
export interface Figure {
  letter: string
  about: string
  measure(lab: Lab): Promise<Row[]>
}

/** What a run has: a folder that goes with it, and how long to measure. */
export interface Lab {
  /** A new, empty folder under the run's own. */
  folder(name: string): string
  rounds: number
  seconds: number
  isQuick: boolean
  say(text: string): void
  /** Stands below the table. */
  note(text: string): void
}

type Child = Bun.Subprocess<'ignore', Bun.BunFile, Bun.BunFile>

const children = new Set<Child>()
let root: string | undefined

/** The run's own folder, made when it is first needed. */
export function benchFolder(): string {
  root ??= realpathSync(mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'handbill-bench-')))
  return root
}

export function newFolder(name: string): string {
  const folder = join(benchFolder(), `${name}-${crypto.randomUUID().slice(0, 8)}`)
  mkdirSync(folder)
  return folder
}

/** Starts a server on its core. What it says goes to a file, which is told when it fails. */
export function spawnServer(
  command: string[],
  { cwd, env, log }: { cwd: string; env: Record<string, string>; log: string },
): Child {
  const child = Bun.spawn(['taskset', '-c', String(SERVER_CORE), ...command], {
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

/** However the run ends, nothing it started goes on and nothing it wrote stays. */
export async function leave(): Promise<void> {
  await Promise.all([...children].map(stop))
  if (root !== undefined) rmSync(root, { recursive: true, force: true })
}

/** Runs a command of the load's side to its end. @throws when it fails, with what it said */
export async function runOnLoadCore(command: string[]): Promise<string> {
  const child = Bun.spawn(['taskset', '-c', String(LOAD_CORE), ...command], {
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

export function freePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = probe
  probe.stop(true)
  return port
}

/** Resolves once the address answers 200. */
export async function answers(url: string, child: Child, patienceMs = 20_000): Promise<void> {
  const until = performance.now() + patienceMs
  while (performance.now() < until && child.exitCode === null) {
    const status = await fetch(url, { keepalive: false }).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) return
    await Bun.sleep(1)
  }
  throw new Error(`${url} did not answer`)
}
