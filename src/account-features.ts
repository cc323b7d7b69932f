import type { Platform } from './app-platform.ts'
import {
  type Accounts,
  createAccountDeletion,
  createAccountSuspension,
  createUsage,
} from './features/accounts/index.ts'
import type { Content, Uploads } from './features/content/index.ts'
import { createMailLists } from './features/mail/index.ts'
import type { Pages } from './features/pages/index.ts'
import type { Responses } from './features/responses/index.ts'
import type { Sessions } from './features/sessions/index.ts'
import { createIdentities } from './features/single-sign-on/index.ts'
import type { Versions } from './features/versions/index.ts'

interface WholeAccount {
  accounts: Accounts
  sessions: Sessions
  content: Content
  uploads: Uploads
  pages: Pages
  versions: Versions
  responses: Responses
}

/** Features that work on an account with all of its data. */
export function buildAccountFeatures(platform: Platform, features: WholeAccount) {
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
