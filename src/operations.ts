import type { Platform } from './app-platform.ts'
import { type Access, accessOperations } from './features/access/index.ts'
import {
  type AccountDeletion,
  type Accounts,
  type AccountUsage,
  accountOperations,
} from './features/accounts/index.ts'
import { type Analytics, analyticsOperations } from './features/analytics/index.ts'
import { type Approvals, approvalOperations } from './features/approvals/index.ts'
import { type Comments, commentOperations } from './features/comments/index.ts'
import { contentOperations, type Uploads } from './features/content/index.ts'
import { type Inbox, inboxOperations } from './features/inbox/index.ts'
import { type MailLists, mailOperations } from './features/mail/index.ts'
import { type Operator, operatorOperations } from './features/operator/index.ts'
import { type Pages, pageOperations } from './features/pages/index.ts'
import { type Polls, pollOperations } from './features/polls/index.ts'
import { type Responses, responseOperations } from './features/responses/index.ts'
import { type Sessions, sessionOperations } from './features/sessions/index.ts'
import { type Identities, singleSignOnOperations } from './features/single-sign-on/index.ts'
import { type Transfer, transferOperations } from './features/transfer/index.ts'
import { type Versions, versionOperations } from './features/versions/index.ts'
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
  usageOf(accountId: string): Promise<AccountUsage>
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
