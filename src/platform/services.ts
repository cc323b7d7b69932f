import type { MailContent, MailOptions } from '../model/mail.ts'
import type { Blobs } from './blobs/index.ts'
import type { Checks } from './checks.ts'
import type { Clock } from './clock.ts'
import type { ContentSpace } from './content-space.ts'
import type { Database, Tx } from './db/index.ts'
import type { Leases } from './db/leases.ts'
import type { GuardedFetch } from './fetch/index.ts'
import type { Log } from './log.ts'
import type { SlotFiles } from './mapped-files.ts'
import type { Metrics } from './metrics.ts'
import type { Secrets } from './secrets.ts'
import type { TemporaryFiles } from './temporary-files.ts'
import type { Threads } from './threads.ts'

/** What the process offers to everything above it. Each part names what it is built on. */
export interface Services {
  database: Database
  blobs: Blobs
  /** Where views are counted first. */
  slotFiles: SlotFiles
  temporaryFiles: TemporaryFiles
  space: ContentSpace
  threads: Threads
  clock: Clock
  secrets: Secrets
  fetch: GuardedFetch
  log: Log
  metrics: Metrics
  checks: Checks
  leases: Leases
  /** The origin of the server, such as `https://pages.example.com`. */
  baseUrl: string
  /** Its host, by which mails name the server. */
  host: string
  /** Puts a mail into the outbox, in the transaction that causes it. */
  sendMail(tx: Tx, mail: MailContent, options?: MailOptions): Promise<unknown>
}
