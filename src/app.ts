import { accessOperations, createAccess } from './features/access/index.ts'
import {
  createAccountDeletion,
  createAccountSuspension,
  createAccounts,
  createUsage,
} from './features/accounts/index.ts'
import { accountOperations } from './features/accounts/operations.ts'
import { agreementOperations, createAgreements } from './features/agreements/index.ts'
import { analyticsOperations, createAnalytics } from './features/analytics/index.ts'
import {
  type ApprovalDeps,
  approvalConversation,
  approvalOperations,
  approvalVisitorOperations,
  createApprovals,
} from './features/approvals/index.ts'
import { askOperations } from './features/asks/index.ts'
import type { BackupResult } from './features/backup/index.ts'
import { backupOperations } from './features/backup/operations.ts'
import {
  commentConversation,
  commentOperations,
  commentVisitorOperations,
  createAddressing,
  createCommenterMails,
  createComments,
} from './features/comments/index.ts'
import { createConfirmations } from './features/confirmations/index.ts'
import {
  contentOperations,
  createContent,
  createContentWork,
  createImportContent,
  createReleaseRenewal,
  createSweeper,
  createUploads,
} from './features/content/index.ts'
import { createEvents, createOwnerMails, sequence } from './features/events/index.ts'
import { createFeedback, feedbackOperations } from './features/feedback/index.ts'
import { inboxOperations } from './features/inbox/index.ts'
import {
  createLinkBatch,
  createLinks,
  createMailStops,
  createReminders,
  linkCounts,
  linkOperations,
} from './features/links/index.ts'
import { createMailLists, mailOperations } from './features/mail/index.ts'
import { createOAuth, oauthOperations } from './features/oauth/index.ts'
import { operatorOperations } from './features/operator/index.ts'
import * as pageContracts from './features/pages/contract.ts'
import {
  createPage,
  createPages,
  type Pages,
  pageOperations,
  removePage,
  updatePage,
} from './features/pages/index.ts'
import { createPasskeys } from './features/passkeys/index.ts'
import { createPeople } from './features/people/index.ts'
import {
  createPolls,
  pollConversation,
  pollOperations,
  pollVisitorOperations,
} from './features/polls/index.ts'
import { createPrivacy, privacyOperations } from './features/privacy/index.ts'
import {
  createResponses,
  responseOperations,
  responseVisitorOperations,
} from './features/responses/index.ts'
import { createSessions, sessionOperations } from './features/sessions/index.ts'
import { type Settings, settingOperations } from './features/settings/index.ts'
import { createIdentities } from './features/single-sign-on/index.ts'
import { createCodeGuard, createMailBudget, createThrottles } from './features/throttles/index.ts'
import { createTransfer, transferOperations } from './features/transfer/index.ts'
import { createVersions, versionOperations } from './features/versions/index.ts'
import { createViewerEmails } from './features/viewer-emails/index.ts'
import { createViewers } from './features/viewers/index.ts'
import { createViews } from './features/views/index.ts'
import { createMarkChecks } from './features/watermarks/index.ts'
import { createWebhooks, removeWebhooks } from './features/webhooks/index.ts'
import type { Operation, VisitorOperation } from './model/operation.ts'
import type { Config } from './platform/config.ts'
import type { Services } from './platform/services.ts'

/** The settings of the service itself. The platform has those of its data. */
export type ServiceConfig = Pick<
  Config,
  | 'baseUrl'
  | 'contentUrl'
  | 'localContentUrl'
  | 'defaultPlan'
  | 'plans'
  | 'trustProxy'
  | 'singleSignOn'
  | 'rateLimits'
  | 'requestLog'
  | 'logsAddresses'
  | 'metricsToken'
>

/** The services that the features and the HTTP routes use, with the settings. */
export interface Platform extends Services {
  settings: Settings
  /** Writes a backup of all that is stored while it is read. */
  writeBackup(result: BackupResult): AsyncIterable<Uint8Array>
  config: ServiceConfig
}

/** Builds the features, in the order of their dependencies, with their operations. */
export async function buildApp(platform: Platform) {
  const people = buildPeople(platform)
  const publishing = await buildPublishing({ ...platform, ...people })
  const parts = { ...platform, ...people, ...publishing }
  const pageFeatures = buildPageFeatures(parts)
  const conversations = buildConversations({ ...parts, ...pageFeatures })
  const onePage = { ...people, ...publishing, ...pageFeatures, ...conversations }
  const wholeAccounts = buildAccountFeatures({ ...platform, ...onePage })
  const overviews = buildOverviews({ ...platform, ...onePage, ...wholeAccounts })
  const features = { ...onePage, ...wholeAccounts, ...overviews }
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
function buildPeople(platform: Platform) {
  const accounts = createAccounts({ ...platform, plans: platform.config.plans })
  const throttles = createThrottles({ ...platform, isOn: platform.config.rateLimits })
  const contentUrl = platform.config.contentUrl ?? platform.config.localContentUrl
  return {
    accounts,
    confirmations: createConfirmations({ ...platform, wrongCodes: createCodeGuard(throttles) }),
    sessions: createSessions({ ...platform, findAccount: accounts.find }),
    oauth: createOAuth({ ...platform, contentUrl, accounts, throttles }),
    throttles,
    mailBudget: createMailBudget(throttles),
    viewers: createViewers(platform),
  }
}

/** Content, and the pages that publish it. */
async function buildPublishing(parts: Platform & People) {
  const { accounts, config } = parts
  const origins = (config.contentUrl ?? config.localContentUrl) !== null
  const events = createEvents()
  const work = createContentWork(parts.threads)
  const content = createContent({ ...parts, work })
  const { find: findAccount, lock: lockAccount } = accounts
  const uploads = createUploads({ ...parts, content, findAccount, lockAccount })
  const importContent = createImportContent({ ...parts, uploads, content, work })
  const views = createViews({ ...parts, recordEvent: events.record, links: linkCounts })
  const versions = createVersions({ ...parts, content, addStored: accounts.addStored })
  const agreements = createAgreements({
    ...{ ...parts, importContent, versions, recordEvent: events.record },
    addStored: accounts.addStored,
  })
  const storage = { content, importContent, versions, views, agreements, origins } as const
  const isMarkable = createMarkChecks({ ...parts, content })
  const pages: Pages = await createPages({ ...parts, ...storage, isMarkable })
  const sweeper = createSweeper({
    ...parts,
    firstAccountAt: accounts.firstAt,
    inUse: async (tx, ids) =>
      new Set([
        ...(await pages.manifestsInUse(tx, ids)),
        ...(await versions.manifestsInUse(tx, ids)),
      ]),
  })
  pages.listeners.draft.push(createAddressing({ recordEvent: events.record }))
  const releaseRenewal = createReleaseRenewal({ ...parts, content, inUse: pages.manifestsInUse })
  return { events, content, uploads, versions, agreements, pages, views, sweeper, releaseRenewal }
}

/** Features of a page: who may open it, what its viewers send, what its owner is mailed. */
function buildPageFeatures(parts: Platform & People & Publishing) {
  const { accounts, pages, content, events, baseUrl } = parts
  const shared = { ...parts, ownerOf: accounts.owner, recordEvent: events.record }
  const access = createAccess({ ...shared, findPage: pages.find, invite: pages.invite })
  const ownerMails = createOwnerMails({
    ...parts,
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
    ...shared,
    limitsOf: async (accountId) => (await accounts.find(accountId))?.limits ?? null,
    async formsOf({ published_id: publishedId, draft_id: draftId }) {
      const release = await content.getRelease(publishedId ?? draftId)
      const collecting = publishedId !== null && release.collects_responses
      return { collecting, controls: release.controls }
    },
  })
  const polls = createPolls({ ...shared, findPage: pages.find })
  const viewerEmails = createViewerEmails(parts)
  const { admitsEmail, personalLinks } = access
  const linkOf: ApprovalDeps['linkOf'] = (tx, page, email) =>
    personalLinks.mailedLink(tx, page, { email, purpose: 'approve' })
  const approvals = createApprovals({ ...shared, findPage: pages.find, admitsEmail, linkOf })
  for (const { onPageChange } of [polls, access, approvals])
    pages.listeners.change.push(onPageChange)
  const links = createLinks(shared)
  const analytics = createAnalytics({ ...parts, links })
  const mailStops = createMailStops(parts)
  const mailing = { ...shared, links, mailStops, couldOpen: access.couldOpen }
  const linkBatch = createLinkBatch(mailing)
  const linkReminders = createReminders(mailing)
  return {
    access,
    links,
    linkBatch,
    linkReminders,
    mailStops,
    viewerEmails,
    ownerMails,
    responses,
    polls,
    approvals,
    analytics,
  }
}

/** The conversations of viewers and the owner of a page. */
function buildConversations(parts: Platform & People & Publishing & PageFeatures) {
  const { accounts, events, pages, access } = parts
  const comments = createComments({
    ...parts,
    findAccount: accounts.find,
    recordEvent: events.record,
  })
  const commenterMails = createCommenterMails({
    ...parts,
    ownerOf: accounts.owner,
    findPage: (tx, pageId) => pages.find(pageId, tx),
    mayOpen: access.couldOpen,
  })
  events.addListener(['reply', 'addressed'], commenterMails.onEvent)
  const people = createPeople({ ...parts, comments })
  events.addListener(sequence.KINDS, people.onEvent)
  // The last one, since it locks the numbers of the account.
  events.addListener(sequence.KINDS, sequence.onEvent)
  return { comments, commenterMails, people }
}

/** Features that work on an account with all of its data. */
function buildAccountFeatures(parts: Platform & OnePage) {
  const { database, clock, config, sessions, uploads, pages } = parts
  const identities = createIdentities({ ...parts, settings: config.singleSignOn })
  const { find: findAccount, lock: lockAccount } = parts.accounts
  const passkeys = createPasskeys({ ...parts, findAccount, lockAccount })
  const endSessions = sessions.endAll
  const mailLists = createMailLists(database, clock)
  const accountDeletion = createAccountDeletion({
    ...parts,
    removals: [
      endSessions,
      identities.unlinkAll,
      passkeys.removeAll,
      (tx, accountId) => removeWebhooks(tx, [accountId]),
      uploads.deleteAll,
      mailLists.deleteDigests,
      pages.forget,
    ],
    announcePages: pages.announceAll,
    deletePages: pages.deleteAll,
  })
  const accountSuspension = createAccountSuspension({
    ...parts,
    endSessions,
    deleteDigests: mailLists.deleteDigests,
    announcePages: pages.announceAll,
  })
  const usageOf = createUsage(parts)
  return { identities, passkeys, accountDeletion, accountSuspension, usageOf, mailLists }
}

/** Features that look at all pages of an account, or at all accounts. */
function buildOverviews(parts: Platform & OnePage & WholeAccounts) {
  const operator = operatorOperations({
    ...parts,
    defaultPlan: parts.config.defaultPlan,
    suspension: parts.accountSuspension,
    providersOf: parts.identities.providersOf,
    fileTotals: parts.content.totals,
    responseTotal: parts.responses.total,
    countUnsentMails: parts.mailLists.countUnsent,
  })
  const inbox = inboxOperations({ ...parts, findPages: parts.pages.findAll })
  const { findAll: findPages, findNamed: findPage } = parts.pages
  const feedback = createFeedback({ ...parts, findPages, findPage })
  const { find: findAccount, lock: lockAccount } = parts.accounts
  const webhooks = createWebhooks({ ...parts, feedback, findAccount, lockAccount })
  const asks = askOperations({
    ...{ ...parts, feedback, findPage: parts.pages.find },
    sendsMails: () => parts.checks.sendsMails,
    collectsResponses: parts.responses.isCollecting,
    async createPage(subject, fields) {
      const input = pageContracts.createPage.input.parse(fields)
      return (await createPage(parts.pages.deps, subject, input)).data.id
    },
    async updatePage(subject, fields) {
      await updatePage(parts.pages.deps, subject, pageContracts.updatePage.input.parse(fields))
    },
    removePage: (subject) => removePage(parts.pages.deps, subject),
  })
  const privacy = createPrivacy(parts)
  return { operator, inbox, feedback, webhooks, asks, privacy, transfer: createTransfer(parts) }
}

/** The operations of the API, in the order of the reference. */
function apiOperations(features: Features, platform: Platform): Operation[] {
  const { config, checks, settings } = platform
  const { accounts, accountDeletion: deletion, comments, responses, usageOf } = features
  return [
    ...pageOperations(features.pages, {
      responses: responses.countsOf,
      openComments: comments.countOpen,
      versions: features.versions.count,
      comments: comments.countAll,
      decisions: features.approvals.countDecisions,
      votes: features.polls.countAll,
      people: features.people.count,
    }),
    ...versionOperations(features.versions),
    ...contentOperations(features.uploads, config.baseUrl),
    ...accessOperations(features.access, checks),
    ...linkOperations(features.links, features.linkBatch),
    ...features.people.operations,
    ...agreementOperations(features.agreements),
    ...responseOperations(responses),
    ...pollOperations(features.polls),
    ...approvalOperations(features.approvals, checks),
    ...commentOperations(comments),
    ...features.inbox,
    ...feedbackOperations(features.feedback),
    ...features.asks,
    ...features.webhooks.operations,
    ...analyticsOperations(features.analytics),
    ...accountOperations({
      accounts,
      deletion,
      usageOf,
      announcePages: features.pages.announceAll,
      pageIdsNamed: features.feedback.pageIdsNamed,
    }),
    ...privacyOperations(features.privacy),
    ...oauthOperations(accounts),
    ...features.identities.operations,
    ...features.passkeys.operations,
    ...transferOperations(features.transfer),
    ...sessionOperations(features.sessions),
    ...features.operator,
    ...mailOperations(features.mailLists, checks),
    ...settingOperations(settings, async (server, to) => {
      const { tryMailServer } = await import('./platform/mail/smtp.ts')
      return tryMailServer(server, { to, baseUrl: config.baseUrl, name: settings.site.name })
    }),
    ...backupOperations(platform),
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
