import * as access from '../features/access/contract.ts'
import * as accounts from '../features/accounts/contract.ts'
import * as agreements from '../features/agreements/contract.ts'
import * as analytics from '../features/analytics/contract.ts'
import * as approvals from '../features/approvals/contract.ts'
import * as asks from '../features/asks/contract.ts'
import * as backup from '../features/backup/contract.ts'
import * as comments from '../features/comments/contract.ts'
import * as content from '../features/content/contract.ts'
import * as feedback from '../features/feedback/contract.ts'
import * as inbox from '../features/inbox/contract.ts'
import * as links from '../features/links/contract.ts'
import * as mail from '../features/mail/contract.ts'
import * as oauth from '../features/oauth/contract.ts'
import * as operator from '../features/operator/contract.ts'
import * as pages from '../features/pages/contract.ts'
import * as passkeys from '../features/passkeys/contract.ts'
import * as people from '../features/people/contract.ts'
import * as polls from '../features/polls/contract.ts'
import * as privacy from '../features/privacy/contract.ts'
import * as responses from '../features/responses/contract.ts'
import * as sessions from '../features/sessions/contract.ts'
import * as settings from '../features/settings/contract.ts'
import * as singleSignOn from '../features/single-sign-on/contract.ts'
import * as transfer from '../features/transfer/contract.ts'
import * as versions from '../features/versions/contract.ts'
import * as webhooks from '../features/webhooks/contract.ts'
import type { Contract } from '../model/operation.ts'

export const FEATURES = {
  ...access,
  ...accounts,
  ...agreements,
  ...analytics,
  ...approvals,
  ...asks,
  ...backup,
  ...comments,
  ...content,
  ...feedback,
  ...inbox,
  ...links,
  ...mail,
  ...oauth,
  ...operator,
  ...pages,
  ...passkeys,
  ...people,
  ...polls,
  ...privacy,
  ...responses,
  ...sessions,
  ...settings,
  ...singleSignOn,
  ...transfer,
  ...versions,
  ...webhooks,
}

export function contracts(): Contract[] {
  const exported: unknown[] = Object.values(FEATURES)
  return exported.filter(isContract)
}

/** Visitor operations are no part of the API. */
function isContract(value: unknown): value is Contract {
  if (typeof value !== 'object' || value === null || !('http' in value)) return false
  return 'audience' in value && !isVisitorAudience(value.audience)
}

function isVisitorAudience(audience: unknown): boolean {
  return audience === 'visitor' || audience === 'participant'
}
