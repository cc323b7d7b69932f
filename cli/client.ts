import { type Client, createClient } from '../src/client/index.ts'
import { printStatus } from './terminal.ts'

const REPORTED_WAIT_MS = 2000
/** After that, a server that says nothing is dead, or mute. */
export const SILENCE_MS = 15_000
/** One that says that it runs may take so long: for thousands of files, on a slow machine. */
const ANSWER_MS = 15 * 60_000

/** Creates the API client of the command line. It reports long waits before a retry on stderr. */
export function createCliClient(baseUrl: string, key: string): Client {
  return createClient({
    baseUrl,
    key,
    source: 'cli',
    silenceMs: SILENCE_MS,
    timeoutMs: ANSWER_MS,
    onRetry(waitMs, error) {
      if (waitMs < REPORTED_WAIT_MS) return
      printStatus(`${error.message} Trying again in ${Math.round(waitMs / 1000)} s.`)
    },
  })
}
