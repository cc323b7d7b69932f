import { buildAccountFeatures } from './account-features.ts'
import type { Platform, ServiceConfig } from './app-platform.ts'
import { type Access, createAccess } from './features/access/index.ts'
import { createAccounts } from './features/accounts/index.ts'
import { createAnalytics } from './features/analytics/index.ts'
import { approvalConversation, createApprovals } from './features/approvals/index.ts'
import {
  commentConversation,
  createAddressing,
  createCommenterMails,
  createComments,
} from './features/comments/index.ts'
import { createConfirmations } from './features/confirmations/index.ts'
import {
  createContent,
  createContentWork,
  createImportContent,
  createReleaseRenewal,
  createSweeper,
  createUploads,
} from './features/content/index.ts'
import { createEvents, createOwnerMails } from './features/events/index.ts'
import { createPages, type Pages } from './features/pages/index.ts'
import { createPolls, pollConversation } from './features/polls/index.ts'
import { createResponses } from './features/responses/index.ts'
import { createSessions } from './features/sessions/index.ts'
import { createCodeGuard, createMailBudget, createThrottles } from './features/throttles/index.ts'
import { createVersions } from './features/versions/index.ts'
import { createViewerEmails } from './features/viewer-emails/index.ts'
import { createViewers } from './features/viewers/index.ts'
import { createViews } from './features/views/index.ts'
import type { Operation, VisitorOperation } from './model/operation.ts'

export type { Platform, ServiceConfig }

/** Builds the features, in the order of their dependencies. */
export async function buildApp(platform: Platform) {
  const people = buildPeople(platform)
  const publishing = await buildPublishing(platform, people)
  const pageFeatures = buildPageFeatures(platform, people, publishing)
  const conversations = buildConversations(platform, people, { ...publishing, ...pageFeatures })
  const ofAccounts = buildAccountFeatures(platform, { ...people, ...publishing, ...pageFeatures })
  const { accounts, confirmations, sessions, throttles, mailBudget, viewers } = people
  const { content, uploads, pages, views, sweeper, releaseRenewal } = publishing
  const { access, viewerEmails, ownerMails, responses, polls, approvals, analytics } = pageFeatures
  const { comments, commenterMails } = conversations
  const withOperations = {
    ...people,
    ...publishing,
    ...pageFeatures,
    ...conversations,
    ...ofAccounts,
  }
  return {
    accounts,
    confirmations,
    sessions,
    throttles,
    mailBudget,
    viewers,
    content,
    uploads,
    pages,
    views,
    sweeper,
    releaseRenewal,
    access,
    viewerEmails,
    ownerMails,
    responses,
    polls,
    approvals,
    analytics,
    comments,
    commenterMails,
    ...ofAccounts,
    /** The API: its contracts are a large part of the program, and views of pages need none. */
    async loadOperations(): Promise<Operation[]> {
      const [{ apiOperations }, { buildApiFeatures }] = await Promise.all([
        import('./operations.ts'),
        import('./api-features.ts'),
      ])
      const ofApi = buildApiFeatures(platform, withOperations)
      return apiOperations({ ...withOperations, ...ofApi }, platform)
    },
    async loadVisitorOperations(): Promise<VisitorOperation[]> {
      const { visitorOperations } = await import('./visitor-operations.ts')
      return visitorOperations(withOperations)
    },
    conversations: [commentConversation(comments), pollConversation(polls), approvalConversation],
  }
}
export type App = Awaited<ReturnType<typeof buildApp>>

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
async function buildPublishing(platform: Platform, { accounts }: ReturnType<typeof buildPeople>) {
  const { database, blobs, slotFiles, clock, secrets, fetch, threads, log, config } = platform
  const { contentSpace: space } = platform
  const { baseUrl } = config
  const origins = config.contentUrl ? 'all' : config.localContentUrl ? 'local' : 'none'
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
  const pages: Pages = await createPages({
    database,
    clock,
    secrets,
    space,
    content,
    importContent,
    versions,
    views,
    baseUrl,
    origins,
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
  { accounts, confirmations, throttles, viewers }: ReturnType<typeof buildPeople>,
  { events, content, versions, pages, views }: Awaited<ReturnType<typeof buildPublishing>>,
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
    database,
    clock,
    secrets,
    confirmations,
    throttles,
    content,
    versions,
    baseUrl,
    sendMail,
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
  { accounts }: ReturnType<typeof buildPeople>,
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

type Publishing = Awaited<ReturnType<typeof buildPublishing>>
