import { type Client, createClient } from '../src/client/index.ts'
import { printStatus } from './terminal.ts'

/** Shorter waits are not reported. */
const REPORTED_WAIT_MS = 2000

/** Creates the API client of the command line. It reports long waits before a retry on stderr. */
export function createCliClient(baseUrl: string, key: string): Client {
  return createClient({
    baseUrl,
    key,
    source: 'cli',
    onRetry(waitMs, error) {
      if (waitMs < REPORTED_WAIT_MS) return
      printStatus(`${error.message} Trying again in ${Math.round(waitMs / 1000)} s.`)
    },
  })
}
