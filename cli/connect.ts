import { type Client, createClient } from '../src/client/index.ts'
import { say } from './terminal.ts'

/** A wait shorter than this is not worth a word. */
const LONG_WAIT_MS = 2000

/** The client of the command line: it says so, and says when it waits. */
export function connect(baseUrl: string, key: string): Client {
  return createClient({
    baseUrl,
    key,
    source: 'cli',
    onRetry(waitMs, why) {
      if (waitMs < LONG_WAIT_MS) return
      say(`${why.message} Trying again in ${Math.round(waitMs / 1000)} s.`)
    },
  })
}
