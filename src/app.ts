import { type Access, createAccess } from './features/access/index.ts'
import { accessOperations } from './features/access/operations.ts'
import {
  createAccountDeletion,
  createAccountSuspension,
  createAccounts,
  createUsage,
} from './features/accounts/index.ts'
import { accountOperations } from './features/accounts/operations.ts'
import { createAnalytics } from './features/analytics/index.ts'
import { analyticsOperations } from './features/analytics/operations.ts'
import { approvalConversation, createApprovals } from './features/approvals/index.ts'
import { approvalOperations, approvalVisitorOperations } from './features/approvals/operations.ts'
import {
  commentConversation,
  createAddressing,
  createCommenterMails,
  createComments,
} from './features/comments/index.ts'
import { commentOperations, commentVisitorOperations } from './features/comments/operations.ts'
import { createConfirmations } from './features/confirmations/index.ts'
import {
  createContent,
  createContentWork,
  createImportContent,
  createReleaseRenewal,
  createSweeper,
  createUploads,
} from './features/content/index.ts'
import { contentOperations } from './features/content/operations.ts'
import { createEvents, createOwnerMails } from './features/events/index.ts'
import { createInbox } from './features/inbox/index.ts'
import { inboxOperations } from './features/inbox/operations.ts'
import { createMailLists, type PutOptions } from './features/mail/index.ts'
import { mailOperations } from './features/mail/operations.ts'
import { createOperator } from './features/operator/index.ts'
import { operatorOperations } from './features/operator/operations.ts'
import { createPages, type Pages } from './features/pages/index.ts'
import { pageOperations } from './features/pages/operations.ts'
import { createPolls, pollConversation } from './features/polls/index.ts'
import { pollOperations, pollVisitorOperations } from './features/polls/operations.ts'
import { createResponses } from './features/responses/index.ts'
import { responseOperations, responseVisitorOperations } from './features/responses/operations.ts'
import { createSessions } from './features/sessions/index.ts'
import { sessionOperations } from './features/sessions/operations.ts'
import { createIdentities } from './features/single-sign-on/index.ts'
import { singleSignOnOperations } from './features/single-sign-on/operations.ts'
import { createCodeGuard, createMailBudget, createThrottles } from './features/throttles/index.ts'
import { createTransfer } from './features/transfer/index.ts'
import { transferOperations } from './features/transfer/operations.ts'
import { createVersions } from './features/versions/index.ts'
import { versionOperations } from './features/versions/operations.ts'
import { createViewerEmails } from './features/viewer-emails/index.ts'
import { createViewers } from './features/viewers/index.ts'
import { createViews } from './features/views/index.ts'
import type { MailContent } from './model/mail.ts'
import type { Operation, VisitorOperation } from './model/operation.ts'
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

/** Builds the features, in the order of their dependencies, with their operations. */
export async function buildApp(platform: Platform) {
  const people = buildPeople(platform)
  const publishing = await buildPublishing(platform, people)
  const pageFeatures = buildPageFeatures(platform, people, publishing)
  const conversations = buildConversations(platform, people, { ...publishing, ...pageFeatures })
  const onePage = { ...people, ...publishing, ...pageFeatures, ...conversations }
  const wholeAccounts = buildAccountFeatures(platform, onePage)
  const features = {
    ...onePage,
    ...wholeAccounts,
    ...buildOverviews(platform, { ...onePage, ...wholeAccounts }),
  }
  return {
    ...features,
    operations: apiOperations(features, platform),
    visitorOperations: visitorOperations(features),
    conversations: [
      commentConversation(features.comments),
      pollConversation(features.polls),
      approvalConversation,
    ],
  }
}
export type App = Awaited<ReturnType<typeof buildApp>>

type People = ReturnType<typeof buildPeople>
type Publishing = Awaited<ReturnType<typeof buildPublishing>>
type PageFeatures = ReturnType<typeof buildPageFeatures>
type OnePage = People & Publishing & PageFeatures & ReturnType<typeof buildConversations>
type WholeAccounts = ReturnType<typeof buildAccountFeatures>
type Features = OnePage & WholeAccounts & ReturnType<typeof buildOverviews>

/** Accounts, and the features for authentication and rate limits. */
function buildPeople({ database, clock, secrets, log, config }: Platform) {
  const accounts = createAccounts({ database, clock, log, plans: config.plans })
  const throttles = createThrottles({ database, clock, isOn: config.rateLimits })
  const wrongCodes = createCodeGuard(throttles)
  return {
    accounts,
    confirmations: createConfirmations({ database, clock, secrets, wrongCodes }),
    sessions: createSessions({ database, clock, log, findAccount: accounts.find }),
    throttles,
    mailBudget: createMailBudget(throttles),
    viewers: createViewers({ secrets }),
  }
}

/** Content, and the pages that publish it. */
async function buildPublishing(platform: Platform, { accounts }: People) {
  const { database, blobs, slotFiles, clock, secrets, fetch, threads, log, config } = platform
  const { contentSpace: space } = platform
  const { baseUrl } = config
  const origins = (config.contentUrl ?? config.localContentUrl) !== null
  const events = createEvents()
  const work = createContentWork(threads)
  const content = createContent({ database, blobs, space, clock, work })
  const uploads = createUploads({
    database,
    clock,
    secrets,
    content,
    findAccount: accounts.find,
    lockAccount: accounts.lock,
  })
  const importContent = createImportContent({ uploads, fetch, content, work })
  const views = createViews({
    ...{ database, clock, slotFiles, log },
    recordEvent: events.record,
  })
  const versions = createVersions({ database, content, clock, addStored: accounts.addStored })
  const stored = { database, clock, secrets, space }
  const pages: Pages = await createPages({
    ...{ ...stored, content, importContent, versions, views, baseUrl, origins },
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
  pages.onDraftWrite(createAddressing({ recordEvent: events.record }))
  const releaseRenewal = createReleaseRenewal({
    database,
    log,
    content,
    inUse: pages.manifestsInUse,
  })
  return { events, content, uploads, versions, pages, views, sweeper, releaseRenewal }
}

/** Features of a page: who may open it, what its viewers send, what its owner is mailed. */
function buildPageFeatures(
  { database, contentSpace: space, clock, secrets, sendMail, config }: Platform,
  { accounts, confirmations, throttles, viewers }: People,
  { events, content, versions, pages, views }: Publishing,
) {
  const { baseUrl } = config
  const access = createAccess({
    database,
    clock,
    confirmations,
    throttles,
    baseUrl,
    sendMail,
    ownerOf: accounts.find,
    findPage: pages.find,
    invite: pages.invite,
  })
  const ownerMails = createOwnerMails({
    database,
    clock,
    secrets,
    baseUrl,
    sendMail,
    async findPage(tx, pageId) {
      const page = await pages.find(pageId, tx)
      const owner = page && (await accounts.find(page.account_id, tx))
      if (!page || !owner || owner.suspended_at !== null) return null
      if (!(await accounts.wantsPageMails(tx, owner.id))) return null
      const url = `${baseUrl}/p/${page.slug}`
      return { accountId: owner.id, title: page.title, url, ownerEmail: owner.email }
    },
  })
  events.addListener(['view', 'response', 'decision', 'comment', 'reply'], ownerMails.onEvent)
  const responses = createResponses({
    database,
    space,
    clock,
    limitsOf: async (accountId) => (await accounts.find(accountId))?.limits ?? null,
    async formsOf({ published_id: publishedId, draft_id: draftId }) {
      const release = await content.getRelease(publishedId ?? draftId)
      const collecting = publishedId !== null && release.collects_responses
      return { collecting, controls: release.controls }
    },
    recordEvent: events.record,
  })
  const polls = createPolls({
    database,
    clock,
    secrets,
    viewers,
    recordEvent: events.record,
    findPage: pages.find,
  })
  const viewerEmails = createViewerEmails({ database, confirmations, baseUrl, sendMail })
  const approvals = createApprovals({
    ...{ database, clock, secrets, confirmations, throttles, content, versions },
    ...{ baseUrl, sendMail },
    recordEvent: events.record,
    ownerOf: accounts.find,
    findPage: pages.find,
    admitsEmail: access.admitsEmail,
  })
  for (const { onPageChange } of [polls, access, approvals]) pages.onChange(onPageChange)
  const analytics = createAnalytics({ database, clock, views, versions })
  return { access, viewerEmails, ownerMails, responses, polls, approvals, analytics }
}

/** The conversations of viewers and the owner of a page. */
function buildConversations(
  { database, contentSpace: space, clock, secrets, sendMail, config }: Platform,
  { accounts }: People,
  { events, content, versions, pages, access }: Publishing & { access: Access },
) {
  const comments = createComments({
    database,
    space,
    clock,
    content,
    versions,
    findAccount: accounts.find,
    recordEvent: events.record,
  })
  const commenterMails = createCommenterMails({
    database,
    clock,
    secrets,
    baseUrl: config.baseUrl,
    findPage: (tx, pageId) => pages.find(pageId, tx),
    mayOpen: access.couldOpen,
    sendMail,
  })
  events.addListener(['reply', 'addressed'], commenterMails.onEvent)
  return { comments, commenterMails }
}

/** Features that work on an account with all of its data. */
function buildAccountFeatures(platform: Platform, features: OnePage) {
  const { database, clock, log, sendMail, config } = platform
  const { accounts, sessions, uploads, pages } = features
  const { baseUrl, singleSignOn } = config
  const identities = createIdentities({
    database,
    clock,
    baseUrl,
    settings: singleSignOn,
    accounts,
    sendMail,
  })
  const usageOf = createUsage({ ...features, database })
  const accountDeletion = createAccountDeletion({
    database,
    clock,
    log,
    baseUrl,
    sendMail,
    endSessions: sessions.endAll,
    endUploads: uploads.deleteAll,
    unlinkIdentities: identities.unlinkAll,
    closePages: pages.closeAll,
    deletePages: pages.deleteAll,
  })
  const mailLists = createMailLists(database, clock)
  const accountSuspension = createAccountSuspension({
    database,
    clock,
    log,
    baseUrl,
    sendMail,
    endSessions: sessions.endAll,
    deleteDigests: mailLists.deleteDigests,
    announcePages: pages.announceAll,
  })
  return { identities, accountDeletion, accountSuspension, usageOf, mailLists }
}

/** Features that look at all pages of an account, or at all accounts. */
function buildOverviews(platform: Platform, features: OnePage & WholeAccounts) {
  const { database, checks, sendMail, config } = platform
  const { accounts, pages, comments, access, approvals, mailLists } = features
  const { baseUrl, defaultPlan } = config
  const operator = createOperator({
    ...{ database, checks, baseUrl, defaultPlan, accounts, pages, sendMail },
    suspension: features.accountSuspension,
    usageOf: features.usageOf,
    providersOf: features.identities.providersOf,
    fileTotals: features.content.totals,
    responseTotal: features.responses.total,
    countUnsentMails: mailLists.countUnsent,
  })
  const findPages = pages.findAll
  const inbox = createInbox({ database, baseUrl, findPages, comments, access, approvals })
  return { operator, inbox, transfer: createTransfer({ ...platform, ...features, baseUrl }) }
}

/** The operations of the API, in the order of the reference. */
function apiOperations(features: Features, { config, checks }: Platform): Operation[] {
  const { accounts, accountDeletion: deletion, comments, responses, usageOf } = features
  return [
    ...pageOperations(features.pages, {
      responses: responses.countsOf,
      openComments: comments.countOpen,
    }),
    ...versionOperations(features.versions),
    ...contentOperations(features.uploads, config.baseUrl),
    ...accessOperations(features.access),
    ...responseOperations(responses),
    ...pollOperations(features.polls),
    ...approvalOperations(features.approvals),
    ...commentOperations(comments),
    ...inboxOperations(features.inbox),
    ...analyticsOperations(features.analytics),
    ...accountOperations({ accounts, deletion, usageOf }),
    ...singleSignOnOperations(features.identities),
    ...transferOperations(features.transfer),
    ...sessionOperations(features.sessions),
    ...operatorOperations(features.operator),
    ...mailOperations(features.mailLists, checks.sendsMails),
  ]
}

/** The operations of viewers: those of pages and of the panel. */
function visitorOperations(features: OnePage): VisitorOperation[] {
  return [
    ...responseVisitorOperations(features.responses),
    ...pollVisitorOperations(features.polls),
    ...approvalVisitorOperations(features.approvals),
    ...commentVisitorOperations(features.comments),
  ]
}
