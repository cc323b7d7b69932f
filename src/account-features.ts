import type { Platform } from './app-platform.ts'
import { type Accounts, createAccountDeletion, createUsage } from './features/accounts/index.ts'
import type { Approvals } from './features/approvals/index.ts'
import type { Content, Uploads } from './features/content/index.ts'
import { createMailLists } from './features/mail/index.ts'
import { createOperator } from './features/operator/index.ts'
import type { Pages } from './features/pages/index.ts'
import { importResponses, type Responses } from './features/responses/index.ts'
import type { Sessions } from './features/sessions/index.ts'
import { createExport, createImport, type Transfer } from './features/transfer/index.ts'
import type { Versions } from './features/versions/index.ts'
import type { Views } from './features/views/index.ts'

interface WholeAccount {
  accounts: Accounts
  sessions: Sessions
  content: Content
  uploads: Uploads
  pages: Pages
  versions: Versions
  responses: Responses
  views: Views
  approvals: Approvals
}

/** Features that concern accounts with everything that they have. */
export function buildAccountFeatures(platform: Platform, features: WholeAccount) {
  const { database, clock, log, checks, sendMail, config } = platform
  const { accounts, sessions, content, uploads, pages, responses } = features
  const { baseUrl, defaultPlan } = config
  const usageOf = createUsage(features)
  const accountDeletion = createAccountDeletion({
    database,
    clock,
    log,
    baseUrl,
    sendMail,
    endSessions: sessions.endAll,
    endUploads: uploads.deleteAll,
    closePages: pages.closeAll,
    deletePages: pages.deleteAll,
  })
  const mailLists = createMailLists(database, clock)
  const operator = createOperator({
    database,
    checks,
    baseUrl,
    defaultPlan,
    accounts,
    usageOf,
    pages,
    fileTotals: content.totals,
    responseTotal: responses.total,
    countUnsentMails: mailLists.countUnsent,
    sendMail,
  })
  const transfer = buildTransfer(platform, features)
  return { accountDeletion, usageOf, mailLists, operator, transfer }
}

function buildTransfer(
  { database, clock, log, temporaryFiles, config }: Platform,
  { content, pages, versions, views, approvals }: WholeAccount,
): Transfer {
  const { baseUrl } = config
  return {
    exportAccount: createExport({
      database,
      clock,
      baseUrl,
      pages,
      countersOf: views.countersOf,
      versionsOf: versions.rowsOf,
      getManifest: content.getManifest,
      readFile: content.bytes,
      async approvalRecord(page) {
        if (!page.settings.collect_approvals || page.published_id === null) return null
        const { body } = await approvals.recordFile(page)
        return body instanceof Uint8Array ? new TextDecoder().decode(body) : null
      },
    }),
    importAccount: createImport({
      temporaryFiles,
      log,
      baseUrl,
      hasSlug: pages.hasSlug,
      importPage: (account, { page, contentOf, responses }) =>
        pages.importPage(account, {
          page,
          contentOf,
          addRows: (tx, { id }) => importResponses(tx, { account, pageId: id }, responses),
        }),
    }),
  }
}
