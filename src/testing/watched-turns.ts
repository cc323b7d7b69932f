/** Finds the longest turn of the event loop of a server with `watch-turns.ts` in it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const WATCH = join(import.meta.dir, 'watch-turns.ts')

interface Turn {
  wallMs: number
  /** Processor time of the thread that answers requests. */
  cpuMs: number
}

/** The variables that make a server report its turns to a file. */
export function watchedEnvironment(file: string): Record<string, string> {
  return { HANDBILL_TURNS: file, BUN_OPTIONS: `--preload ${WATCH}` }
}

/**
 * The longest turn of the event loop while this runs, in milliseconds of processor time of a machine
 * that does nothing else: a busy one takes several times as long for the same instructions, so the
 * time is divided by how much longer a fixed piece of work takes just before and just after.
 */
export async function longestTurn(file: string, run: () => Promise<unknown>): Promise<number> {
  const before = turnsIn(file).length
  const works = [workMs(), workMs()]
  await run()
  works.push(workMs(), workMs())
  // The watch reports a turn at the next one.
  await Bun.sleep(50)
  const turns = turnsIn(file).slice(before)
  const slowness = Math.max(1, works.sort((a, b) => a - b)[2]! / QUIET_WORK_MS)
  return Math.max(0, ...turns.map(({ cpuMs }) => cpuMs)) / slowness
}

const QUIET_WORK_MS = 30
const text = Array.from({ length: 40_000 }, (_, n) => `<p class="c${n}">Words ${n}</p>\n`).join('')

/** The processor time of a piece of work that is much like what holds up a server: JSON of a page. */
function workMs(): number {
  const started = process.cpuUsage()
  JSON.parse(JSON.stringify({ text, again: JSON.stringify({ text }) }))
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}

function turnsIn(file: string): Turn[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Turn)
}
