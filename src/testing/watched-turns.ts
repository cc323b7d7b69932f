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

/** The longest turn of the event loop while this runs, in milliseconds of processor time. */
export async function longestTurn(file: string, run: () => Promise<unknown>): Promise<number> {
  const before = turnsIn(file).length
  await run()
  // The watch reports a turn at the next one.
  await Bun.sleep(50)
  const turns = turnsIn(file).slice(before)
  return Math.max(0, ...turns.map(({ cpuMs }) => cpuMs))
}

function turnsIn(file: string): Turn[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Turn)
}
