import type { Platform } from './app-platform.ts'
import type { Access } from './features/access/index.ts'
import { accessOperations } from './features/access/operations.ts'
import type { AccountDeletion, Accounts, AccountUsage } from './features/accounts/index.ts'
import { accountOperations } from './features/accounts/operations.ts'
import type { Analytics } from './features/analytics/index.ts'
import { analyticsOperations } from './features/analytics/operations.ts'
import type { Approvals } from './features/approvals/index.ts'
import { approvalOperations } from './features/approvals/operations.ts'
import type { Comments } from './features/comments/index.ts'
import { commentOperations } from './features/comments/operations.ts'
import type { Uploads } from './features/content/index.ts'
import { contentOperations } from './features/content/operations.ts'
import type { Inbox } from './features/inbox/index.ts'
import { inboxOperations } from './features/inbox/operations.ts'
import type { MailLists } from './features/mail/index.ts'
import { mailOperations } from './features/mail/operations.ts'
import type { Operator } from './features/operator/index.ts'
import { operatorOperations } from './features/operator/operations.ts'
import type { Pages } from './features/pages/index.ts'
import { pageOperations } from './features/pages/operations.ts'
import type { Polls } from './features/polls/index.ts'
import { pollOperations } from './features/polls/operations.ts'
import type { Responses } from './features/responses/index.ts'
import { responseOperations } from './features/responses/operations.ts'
import type { Sessions } from './features/sessions/index.ts'
import { sessionOperations } from './features/sessions/operations.ts'
import type { Identities } from './features/single-sign-on/index.ts'
import { singleSignOnOperations } from './features/single-sign-on/operations.ts'
import type { Transfer } from './features/transfer/index.ts'
import { transferOperations } from './features/transfer/operations.ts'
import type { Versions } from './features/versions/index.ts'
import { versionOperations } from './features/versions/operations.ts'
import type { Account } from './model/account.ts'
import type { Operation } from './model/operation.ts'

/** The features that have operations. */
export interface ApiFeatures {
  access: Access
  accounts: Accounts
  accountDeletion: AccountDeletion
  analytics: Analytics
  approvals: Approvals
  comments: Comments
  identities: Identities
  inbox: Inbox
  mailLists: MailLists
  operator: Operator
  pages: Pages
  polls: Polls
  responses: Responses
  sessions: Sessions
  uploads: Uploads
  versions: Versions
  transfer: Transfer
  usageOf(account: Account): Promise<AccountUsage>
}

/** The operations of the API, in the order of the reference. */
export function apiOperations(features: ApiFeatures, { config, checks }: Platform): Operation[] {
  const {
    access,
    accounts,
    accountDeletion: deletion,
    analytics,
    approvals,
    comments,
    pages,
    polls,
  } = features
  const { responses, sessions, uploads, versions } = features
  return [
    ...pageOperations(pages, {
      responses: responses.countsOf,
      openComments: comments.countOpen,
    }),
    ...versionOperations(versions),
    ...contentOperations(uploads, config.baseUrl),
    ...accessOperations(access),
    ...responseOperations(responses),
    ...pollOperations(polls),
    ...approvalOperations(approvals),
    ...commentOperations(comments),
    ...inboxOperations(features.inbox),
    ...analyticsOperations(analytics),
    ...accountOperations({
      accounts,
      deletion,
      usageOf: features.usageOf,
    }),
    ...singleSignOnOperations(features.identities),
    ...transferOperations(features.transfer),
    ...sessionOperations(sessions),
    ...operatorOperations(features.operator),
    ...mailOperations(features.mailLists, checks.sendsMails),
  ]
}
