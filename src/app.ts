import { accessOperations, createAccess } from './features/access/index.ts'
import { createAccounts } from './features/accounts/index.ts'
import { createConfirmations } from './features/confirmations/index.ts'
import {
  contentOperations,
  createContent,
  createIntake,
  createSweeper,
} from './features/content/index.ts'
import { createNotifications } from './features/notifications/index.ts'
import { createPages, pageOperations } from './features/pages/index.ts'
import { createResponses, responseOperations } from './features/responses/index.ts'
import { createSessions } from './features/sessions/index.ts'
import { createThrottles } from './features/throttles/index.ts'
import { createVersions, versionOperations } from './features/versions/index.ts'
import { createViews } from './features/views/index.ts'
import type { MailWords } from './model/mail.ts'
import type { Blobs } from './platform/blobs/index.ts'
import type { Clock } from './platform/clock.ts'
import type { Database, Tx } from './platform/db/index.ts'
import type { GuardedFetch } from './platform/fetch/index.ts'
import type { Log } from './platform/log.ts'
import type { Secrets } from './platform/secrets.ts'

export interface Machines {
  database: Database
  blobs: Blobs
  clock: Clock
  secrets: Secrets
  fetch: GuardedFetch
  log: Log
  base_url: string
  rate_limits: boolean
  /** Puts a mail into the outbox, in the transaction that causes it. */
  sendMail(
    tx: Tx,
    mail: MailWords,
    options?: { dedupe_key?: string; not_before?: string },
  ): Promise<void>
}

/** The wiring: machines in, rooms built from the ground up, operations out. */
export async function buildApp(machines: Machines) {
  const { database, blobs, clock, secrets, fetch, log, base_url } = machines
  const throttles = createThrottles({ database, clock, is_on: machines.rate_limits })
  const accounts = createAccounts({ database, clock, log })
  const confirmations = createConfirmations({ database, clock, secrets })
  const sessions = createSessions({ database, clock, log, findAccount: accounts.find })
  const content = createContent({ database, blobs, clock })
  const intake = createIntake({ content, fetch })
  const views = createViews({
    database,
    clock,
    noteViews: (tx, page_id, noted) => notifications.noteViews(tx, page_id, noted),
  })
  const versions = createVersions({ database, content, clock })
  const pages = await createPages({
    database,
    clock,
    secrets,
    content,
    intake,
    versions,
    views,
    base_url,
  })
  const access = createAccess({
    database,
    clock,
    confirmations,
    base_url,
    sendMail: machines.sendMail,
    emailOf: async (account_id) => (await accounts.find(account_id))?.email ?? null,
    invite: pages.invite,
  })
  const notifications = createNotifications({
    database,
    clock,
    secrets,
    base_url,
    sendMail: machines.sendMail,
    async pageOf(tx, page_id) {
      const page = await pages.find(page_id, tx)
      const owner = page && (await accounts.find(page.account_id, tx))
      if (!page || !owner) return null
      const url = `${base_url}/p/${page.slug}`
      return { page_id, title: page.title, url, owner_email: owner.email }
    },
  })
  const responses = createResponses({
    database,
    clock,
    secrets,
    planOf: async (account_id) => (await accounts.find(account_id))?.plan ?? null,
    async formsOf({ published_id, draft_id }) {
      const release = await content.release(published_id ?? draft_id)
      const collecting = published_id !== null && release.collects_responses
      return { collecting, controls: release.controls }
    },
    noteResponse: notifications.noteResponse,
  })
  const sweeper = createSweeper({
    database,
    blobs,
    clock,
    inUse: async (tx, ids) =>
      new Set([
        ...(await pages.manifestsInUse(tx, ids)),
        ...(await versions.manifestsInUse(tx, ids)),
      ]),
  })
  return {
    accounts,
    confirmations,
    sessions,
    sendMail: machines.sendMail,
    access,
    responses,
    notifications,
    /** For SIGNUP=invite. */
    isInvited: pages.isInvited,
    content,
    pages,
    views,
    sweeper,
    throttles,
    operations: [
      ...pageOperations(pages),
      ...versionOperations(versions),
      ...contentOperations(content),
      ...accessOperations(access),
      ...responseOperations(responses),
    ],
  }
}
export type App = Awaited<ReturnType<typeof buildApp>>
