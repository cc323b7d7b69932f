import type { Platform } from './app-platform.ts'
import { type Access, accessRequestsOf, importAccessRequests } from './features/access/index.ts'
import type { AccountSuspension, Accounts, AccountUsage } from './features/accounts/index.ts'
import {
  type Approvals,
  approvalRequestsOf,
  decisionsOf,
  importApprovals,
  importedRecordsOf,
} from './features/approvals/index.ts'
import { type Comments, commentsOf, importComments } from './features/comments/index.ts'
import type { Content } from './features/content/index.ts'
import { createInbox } from './features/inbox/index.ts'
import type { MailLists } from './features/mail/index.ts'
import { createOperator } from './features/operator/index.ts'
import type { Pages } from './features/pages/index.ts'
import { createPollTransfer } from './features/polls/index.ts'
import { importResponses, type Responses, responsesOf } from './features/responses/index.ts'
import type { Identities } from './features/single-sign-on/index.ts'
import { createExport, createImport, type Transfer } from './features/transfer/index.ts'
import type { Versions } from './features/versions/index.ts'
import type { Viewers } from './features/viewers/index.ts'
import {
  confirmedOf,
  facetsOf,
  importConfirmed,
  importFacets,
  type Views,
} from './features/views/index.ts'
import type { Account } from './model/account.ts'

interface Features {
  accounts: Accounts
  accountSuspension: AccountSuspension
  content: Content
  pages: Pages
  versions: Versions
  responses: Responses
  comments: Comments
  access: Access
  viewers: Viewers
  views: Views
  approvals: Approvals
  mailLists: MailLists
  identities: Identities
  usageOf(account: Account): Promise<AccountUsage>
}

/** Features that only the API uses: they are built when it is loaded. */
export function buildApiFeatures(platform: Platform, features: Features) {
  const { database, checks, sendMail, config } = platform
  const { accounts, content, pages, responses, comments, access, approvals } = features
  const { mailLists, identities, usageOf } = features
  const { baseUrl, defaultPlan } = config
  const operator = createOperator({
    database,
    checks,
    baseUrl,
    defaultPlan,
    accounts,
    suspension: features.accountSuspension,
    usageOf,
    providersOf: identities.providersOf,
    pages,
    fileTotals: content.totals,
    responseTotal: responses.total,
    countUnsentMails: mailLists.countUnsent,
    sendMail,
  })
  const inbox = createInbox({
    database,
    baseUrl,
    findPages: pages.findAll,
    comments,
    access,
    approvals,
  })
  const transfer = buildTransfer(platform, features)
  return { operator, inbox, transfer }
}

function buildTransfer(
  { database, clock, secrets, temporaryFiles, contentSpace, threads, config }: Platform,
  { accounts, content, pages, versions, viewers, views, approvals }: Features,
): Transfer {
  const { baseUrl } = config
  const polls = createPollTransfer({ secrets, viewers })
  const { assertActive } = accounts

  async function* counted<T>(rows: AsyncGenerator<T>): AsyncGenerator<T> {
    await views.flush()
    yield* rows
  }

  return {
    exportAccount: createExport({
      clock,
      baseUrl,
      assertActive,
      pages,
      countersOf: views.countersOf,
      versionsOf: versions.rowsOf,
      getManifest: content.getManifest,
      readFile: content.pieces,
      rowsOf: (pageId) => ({
        responses: responsesOf(database.read, pageId),
        comments: commentsOf(database.read, pageId),
        ...polls.exportOf(database.read, pageId),
        approval_decisions: decisionsOf(database.read, pageId),
        approval_requests: approvalRequestsOf(database.read, pageId),
        approval_records: importedRecordsOf(database.read, pageId),
        access_requests: accessRequestsOf(database.read, pageId),
        view_hours: views.hoursOf(pageId),
        view_facets: counted(facetsOf(database.read, pageId)),
        confirmed_viewers: counted(confirmedOf(database.read, pageId)),
      }),
      async approvalRecord(page) {
        if (page.published_id === null) return null
        const { decisions } = await approvals.recordOf(page)
        if (decisions.length === 0) return null
        const { body } = await approvals.recordFile(page)
        return body instanceof Uint8Array ? new TextDecoder().decode(body) : null
      },
    }),
    importAccount: createImport({
      assertActive,
      temporaryFiles,
      threads,
      space: contentSpace,
      clock,
      baseUrl,
      findSame: pages.findSame,
      importPage: (account, { page, origin, contentOf, rows }) =>
        pages.importPage(account, {
          page,
          origin,
          contentOf,
          hours: rows.view_hours,
          async addRows(step, imported) {
            const { id: pageId } = imported
            const { responses, comments, votes } = rows
            const options = [...rows.poll_options].flat()
            const lasts = [
              await importResponses(step, { account, pageId }, responses),
              await importComments(step, imported, comments),
            ]
            await importAccessRequests(step, imported, rows.access_requests)
            await polls.importPoll(step, imported, { options, votes })
            await importFacets(step, { pageId, nowMs: clock.ms() }, rows.view_facets)
            await importConfirmed(step, { pageId, now: clock.now() }, rows.confirmed_viewers)
            await importApprovals(
              step,
              { page: imported, now: clock.now() },
              {
                decisions: rows.approval_decisions,
                requests: rows.approval_requests,
                records: rows.approval_records,
              },
            )
            return async (tx) => {
              for (const last of lasts) await last(tx)
            }
          },
        }),
    }),
  }
}
