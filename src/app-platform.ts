import type { PutOptions } from './features/mail/index.ts'
import type { MailContent } from './model/mail.ts'
import type { Blobs } from './platform/blobs/index.ts'
import type { Checks } from './platform/checks.ts'
import type { Clock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import type { ContentSpace } from './platform/content-space.ts'
import type { Database, Tx } from './platform/db/index.ts'
import type { GuardedFetch } from './platform/fetch/index.ts'
import type { Log } from './platform/log.ts'
import type { Metrics } from './platform/metrics.ts'
import type { Secrets } from './platform/secrets.ts'
import type { SlotFiles } from './platform/slot-files.ts'
import type { TemporaryFiles } from './platform/temporary-files.ts'
import type { Threads } from './platform/threads.ts'

/** The settings of the service itself. The platform has those of its data. */
export type ServiceConfig = Pick<
  Config,
  | 'baseUrl'
  | 'contentUrl'
  | 'localContentUrl'
  | 'defaultPlan'
  | 'plans'
  | 'signup'
  | 'trustProxy'
  | 'singleSignOn'
  | 'rateLimits'
  | 'requestLog'
  | 'logsAddresses'
  | 'metricsToken'
>

/** The platform services that the features and the HTTP routes use. */
export interface Platform {
  database: Database
  blobs: Blobs
  /** Where views are counted first. */
  slotFiles: SlotFiles
  temporaryFiles: TemporaryFiles
  contentSpace: ContentSpace
  threads: Threads
  clock: Clock
  secrets: Secrets
  fetch: GuardedFetch
  log: Log
  metrics: Metrics
  checks: Checks
  /** Puts a mail into the outbox, in the transaction that causes it. */
  sendMail(tx: Tx, mail: MailContent, options?: PutOptions): Promise<void>
  config: ServiceConfig
}
