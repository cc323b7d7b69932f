/** A server that reports what holds up its event loop. */
import { join } from 'node:path'
import { longestTurn, watchedEnvironment } from '../src/testing/watched-turns.ts'
import { start } from './start.ts'

/** Starts a server with `src/testing/watch-turns.ts` in it. */
export async function startWatched(env: Record<string, string>) {
  const file = join(env.DATA_DIR!, '..', 'turns')
  const server = await start({ ...env, ...watchedEnvironment(file) })
  return {
    ...server,
    /** The longest turn of the event loop while this runs, in processor time. */
    longestTurn: (run: () => Promise<unknown>) => longestTurn(file, run),
  }
}
