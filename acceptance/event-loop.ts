/** A server that reports what holds up its event loop. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { start } from './start.ts'

const WATCH = join(import.meta.dir, '..', 'src', 'testing', 'watch-turns.ts')

interface Turn {
  wallMs: number
  /** Processor time of the thread that answers requests. */
  cpuMs: number
}

/** Starts a server with `src/testing/watch-turns.ts` in it. */
export async function startWatched(env: Record<string, string>) {
  const file = join(env.DATA_DIR!, '..', 'turns')
  const watched = { ...env, HANDBILL_TURNS: file, BUN_OPTIONS: `--preload ${WATCH}` }
  const server = await start(watched)
  const turns = () =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Turn)
      : []

  return {
    ...server,
    /** The longest turn of the event loop while this runs, in processor time. */
    async longestTurn(run: () => Promise<unknown>): Promise<number> {
      const before = turns().length
      await run()
      // The watch reports a turn at the next one.
      await Bun.sleep(50)
      return Math.max(
        0,
        ...turns()
          .slice(before)
          .map(({ cpuMs }) => cpuMs),
      )
    },
  }
}
