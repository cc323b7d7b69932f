import { type Client, createClient } from '../src/client/index.ts'
import { say } from './terminal.ts'

/** A wait shorter than this is not worth a word. */
const LONG_WAIT_MS = 2000

/** The client of the command line: it says so, and says when it waits. */
export function connect(base_url: string, key: string): Client {
  return createClient({
    base_url,
    key,
    source: 'cli',
    onRetry(wait_ms, why) {
      if (wait_ms < LONG_WAIT_MS) return
      say(`${why.message} Trying again in ${Math.round(wait_ms / 1000)} s.`)
    },
  })
}
