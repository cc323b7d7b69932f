import { type Refusal, refuse } from './errors.ts'
import { count, formatBytes } from './numbers.ts'
import { besideLimit, type Limits, maxPendingUploads, type Plan } from './plan.ts'

export interface Account {
  id: string
  email: string
  name: string | null
  plan: Plan
  /** As people read it. */
  plan_name: string
  plan_price: string | null
  /** Of its plan. */
  limits: Limits
  /** What it stored when it was read: all kept versions of all pages. */
  stored_bytes: number
  /** May call operations of the audience `operator`. */
  is_operator: boolean
  /** Opens pages that it is invited to, and publishes nothing: it has no API keys. */
  is_guest: boolean
  /** Since when nothing of it is served; null if it is not suspended. */
  suspended_at: string | null
}

/** What an API key may do. What viewers did and said is read with `feedback:read` alone. */
export const SCOPES = ['pages:read', 'pages:write', 'feedback:read'] as const
export type Scope = (typeof SCOPES)[number]

/** What an app may do that was allowed a scope, for people. */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  'pages:read': 'Read your pages, with their drafts, versions and settings',
  'pages:write': 'Create, change, publish, share and delete pages',
  'feedback:read': 'Read what viewers do and say, with their addresses',
}

export interface KeyLimits {
  scopes: Scope[]
  /** The pages that it may read and change; null: all of the account. */
  page_ids: string[] | null
  expires_at: string | null
  /** Of viewers it reads the feedback of those who confirmed an address, and nothing else. */
  confirmed_only: boolean
}

/** The limits of a key but for its end, for people. */
export function limitsInWords(limits: Pick<KeyLimits, 'scopes' | 'page_ids' | 'confirmed_only'>) {
  const { scopes, page_ids: ids, confirmed_only } = limits
  const words: string[] = scopes.length === SCOPES.length ? [] : [scopes.join(' ')]
  if (ids !== null) words.push(count(ids.length, 'page'))
  if (confirmed_only) words.push('only feedback of confirmed people')
  return words
}

/** What is chosen of an API key. */
export interface NewKey extends KeyLimits {
  name: string | null
}

export interface RequestKey extends NewKey {
  id: string
  /** The app that holds it, by OAuth; null for a key that its owner made. */
  client_id: string | null
}

export interface ApiKey extends RequestKey {
  /** The first 7 and the last 4 characters. */
  hint: string
  created_at: string
  last_used_at: string | null
  revoked_at: string | null
}

/** The key or token in a header `Authorization: Bearer …`; undefined where there is none. */
export function bearerIn(authorization: string | null): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
}

/** @throws Refusal `scope_missing` where the key is limited to other pages */
export function assertMayUse(key: Pick<KeyLimits, 'page_ids'>, pageId: string): void {
  if (key.page_ids === null || key.page_ids.includes(pageId)) return
  const text = 'This key is limited to other pages than this one. Use a key that may act on it.'
  throw scopeMissing(text, 'page_ids')
}

/**
 * @param scope the limits of the key that are in the way, separated by spaces
 * @param has the scopes of a key that lacks some
 */
export function scopeMissing(message: string, scope: string, has?: readonly Scope[]): Refusal {
  return refuse.forbidden('scope_missing', message, { scope, ...(has && { has }) })
}

/** @throws Refusal `account_suspended` */
export function assertNotSuspended({ suspended_at }: Pick<Account, 'suspended_at'>) {
  if (suspended_at !== null) throw accountSuspended()
}

/** For those who proved that the account is theirs. */
function accountSuspended(): Refusal {
  return refuse.forbidden(
    'account_suspended',
    'The operator of this server suspended this account: nothing of it is served, and its keys ' +
      'and sessions are refused. Nothing was deleted. Ask the operator why, and to undo it.',
  )
}

/** For visitors of its pages. */
export function pageSuspended(): Refusal {
  return refuse.notFound(
    'not_published',
    'This page is not available: the account it belongs to is suspended.',
  )
}

type Owner = Pick<Account, 'plan' | 'plan_name' | 'limits'>

/** What an account has of something already, and what a request would add. */
interface Growth {
  used: number
  needed: number
}

const WAIT = 'Publish what you uploaded, or wait: an upload that no page takes ends after 24 hours.'

/** @throws Refusal `content_too_large`, which says that `what` is larger than the plan allows */
export function assertSize(
  sizeBytes: number,
  { plan, plan_name }: Owner,
  { limit, what }: { limit: number; what: string },
): void {
  if (sizeBytes <= limit) return
  const sizes = besideLimit(sizeBytes, limit)
  const message = `${what} is ${sizes.size}; the ${plan_name} plan allows ${sizes.limit}.`
  throw refuse.tooLarge('content_too_large', message, { limit, plan })
}

/** @throws Refusal `quota_reached` where so many bytes more are over the plan of the account */
export function assertStores(account: Owner & Pick<Account, 'stored_bytes'>, bytes: number): void {
  const { stored_bytes: used, limits } = account
  if (used + bytes > limits.stored_bytes) throw storageReached(account, { used, needed: bytes })
}

/** The refusal of content for which an account has no room. */
export function storageReached(account: Owner, { used, needed }: Growth): Refusal {
  const limit = account.limits.stored_bytes
  return quotaReached(
    `Your pages with their versions store ${formatBytes(used)} of the ${formatBytes(limit)} of ` +
      `the ${account.plan_name} plan, and this needs ${formatBytes(needed)} more. Delete pages ` +
      'that you no longer need, or ask the operator of the server for a larger plan.',
    { quota: 'stored_bytes', used, limit, needed, plan: account.plan },
  )
}

/** The refusal of an upload, beside those that wait for a page. */
export function uploadBytesReached(account: Owner, { used, needed }: Growth): Refusal {
  const limit = account.limits.upload_bytes
  return quotaReached(
    `Uploads of ${formatBytes(used)} wait for a page, of the ${formatBytes(limit)} of the ` +
      `${account.plan_name} plan, and this may need ${formatBytes(needed)} more. ${WAIT}`,
    { quota: 'upload_bytes', used, limit, needed, plan: account.plan },
  )
}

export function tooManyUploads({ limits }: Pick<Account, 'limits'>, used: number): Refusal {
  const limit = maxPendingUploads(limits)
  return quotaReached(`${used} uploads wait for a page, as many as may. ${WAIT}`, {
    quota: 'uploads',
    used,
    limit,
    needed: 1,
  })
}

function quotaReached(message: string, details: Growth & Record<string, unknown>): Refusal {
  return refuse.tooLarge('quota_reached', message, details)
}
