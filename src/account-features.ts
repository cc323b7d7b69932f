import type { Platform } from './app-platform.ts'
import { createAccountDeletion } from './features/accounts/index.ts'
import type { Uploads } from './features/content/index.ts'
import type { Pages } from './features/pages/index.ts'
import type { Sessions } from './features/sessions/index.ts'

interface WholeAccount {
  sessions: Sessions
  uploads: Uploads
  pages: Pages
}

/** Features that concern an account with everything that it has. */
export function buildAccountFeatures(
  { database, clock, log, sendMail, config }: Platform,
  { sessions, uploads, pages }: WholeAccount,
) {
  const accountDeletion = createAccountDeletion({
    database,
    clock,
    log,
    baseUrl: config.baseUrl,
    sendMail,
    endSessions: sessions.endAll,
    endUploads: uploads.deleteAll,
    closePages: pages.closeAll,
    deletePages: pages.deleteAll,
  })
  return { accountDeletion }
}
