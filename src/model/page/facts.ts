import { count } from '../numbers.ts'
import { isPersonalDomain } from '../personal-domains/index.ts'

// Without the library of schemas, so that browsers load this alone.

export const MAX_INVITEES = 500
export const PASSWORD_LENGTH = { min: 4, max: 128 }
export const MAX_MAX_VIEWS = 2_147_483_647
export const MAX_APPROVERS = 50
export const POLL_OPTIONS = { min: 2, max: 12 }
export const MAX_POLL_QUESTION = 500
export const MAX_POLL_OPTION = 200
export const MAX_OG_TITLE = 300
export const MAX_OG_DESCRIPTION = 1000
/** The days of analytics beside a list of pages. */
export const MAX_DAYS = 90
/** How many names the panel shows at an option of a poll: the latest. */
export const MAX_SHOWN_NAMES = 50
/** The stored votes of a page. Beyond it, nobody new can vote, but votes can be changed. */
export const MAX_VOTES = 1_000_000
/** How many places one edit of the HTML may replace. */
export const MAX_MATCHES = 1000

export const ACCESS_LEVELS = ['link', 'people', 'private', 'password', 'email_gate'] as const
export type Access = (typeof ACCESS_LEVELS)[number]

export const PAGE_STATES = ['live', 'changes', 'draft', 'closed', 'trash'] as const
export type PageState = (typeof PAGE_STATES)[number]
/** How long a page stays in the trash before it is deleted. */
export const TRASH_DAYS = 30

/** When a page that was moved to the trash is deleted for good. */
export function deletedOn(trashedAt: string): Date {
  return new Date(Date.parse(trashedAt) + TRASH_DAYS * 24 * 60 * 60 * 1000)
}

export const CLOSED_BY = ['taken_down', 'expired', 'view_limit'] as const

type ClosedBy = (typeof CLOSED_BY)[number]

/** The state of a page in one word: a closed page by its reason. */
export type ShownState = Exclude<PageState, 'closed'> | ClosedBy

/** The members that decide the state, with times in the format of the API. */
interface StateFacts {
  trashed_at: string | null
  is_published: boolean
  has_unpublished_changes: boolean
  taken_down_at: string | null
  expires_at: string | null
  max_views: number | null
  views: number
}

/** The state for visitors. The list of pages computes the same in SQL. */
export function shownStateOf(facts: StateFacts, now: string): ShownState {
  const { expires_at, max_views } = facts
  if (facts.trashed_at !== null) return 'trash'
  if (!facts.is_published) return 'draft'
  if (facts.taken_down_at !== null) return 'taken_down'
  if (expires_at !== null && expires_at <= now) return 'expired'
  if (max_views !== null && facts.views >= max_views) return 'view_limit'
  return facts.has_unpublished_changes ? 'changes' : 'live'
}

/** The state as the API writes it. */
export function stateFieldsOf(state: ShownState) {
  const isClosed = state === 'taken_down' || state === 'expired' || state === 'view_limit'
  return isClosed ? { state: 'closed' as const, closed_by: state } : { state, closed_by: null }
}

/** Who may open a page, as the label of a choice. */
export const ACCESS_PHRASES = {
  link: 'Anyone with the link',
  people: 'Only people you invite',
  private: 'Only you',
  password: 'Anyone with the password',
  email_gate: 'Anyone who confirms an email',
} as const satisfies Record<Access, string>

/** The same in two words. */
export function accessInShort(page: { access: Access; allowed_emails: readonly string[] }): string {
  if (page.access === 'people') return count(page.allowed_emails.length, 'person', 'people')
  return { link: 'Link', private: 'Only you', password: 'Password', email_gate: 'Email' }[
    page.access
  ]
}

export const STATE_WORDS: Record<ShownState, string> = {
  live: 'Live',
  draft: 'Draft',
  trash: 'In the trash',
  changes: 'Changes waiting',
  expired: 'Closed: expired',
  view_limit: 'Closed: view limit',
  taken_down: 'Taken down',
}

/** What decides who can open a page now, as the API tells it. */
export interface OpenFacts {
  trashed_at: string | null
  is_published: boolean
  closed_by: ClosedBy | null
  expires_at: string | null
  max_views: number | null
  access: Access
  allowed_emails: readonly string[]
  require_signin: boolean
  allowed_domains: readonly string[]
  business_only: boolean
  agreement: object | null
}

/**
 * Who besides the owner can open the page now, in words that follow `Open to`: what was changed may
 * not be what was meant, and this says it before anything else.
 */
export function openTo(page: OpenFacts): string {
  if (page.trashed_at !== null) return 'nobody: it is in the trash'
  if (!page.is_published) return 'nobody: it is not published'
  switch (page.closed_by) {
    case 'taken_down':
      return 'nobody: the operator of the server took it down'
    case 'expired':
      return `nobody: it expired on ${minuteOf(page.expires_at!)}`
    case 'view_limit':
      return `nobody: it has reached its limit of ${count(page.max_views!, 'view')}`
    case null: {
      const shut = shutBy(page)
      if (shut !== null) return `nobody: ${shut.reason}`
      const isAsked = page.agreement !== null && page.access !== 'private'
      return letIn(page) + (isAsked ? ', after accepting its agreement' : '')
    }
  }
}

type GateFacts = Pick<OpenFacts, 'access' | 'allowed_emails' | 'allowed_domains' | 'business_only'>

export const NO_DOMAIN_LEFT = 'business_only refuses each of allowed_domains'

/** The setting that nobody but the owner can meet; null where somebody can. */
export function shutBy(page: GateFacts): { param: string; reason: string } | null {
  const { access, allowed_emails: emails, allowed_domains: domains } = page
  if (access === 'people' && emails.length === 0) {
    return { param: 'allowed_emails', reason: 'no one is invited' }
  }
  const isBusiness = access === 'email_gate' && page.business_only && domains.length > 0
  if (!isBusiness || !domains.every(isPersonalDomain)) return null
  return { param: 'allowed_domains', reason: NO_DOMAIN_LEFT }
}

function letIn({ access, ...page }: OpenFacts): string {
  switch (access) {
    case 'link':
      return 'anyone with the link'
    case 'password':
      return 'anyone with the password'
    case 'private':
      return 'only you'
    case 'people':
      return invited(page.allowed_emails.length, page.require_signin)
    case 'email_gate': {
      const address = page.business_only ? 'a business address' : 'an email address'
      return `anyone who confirms ${address}${domains(page.allowed_domains)}`
    }
  }
}

function invited(people: number, mustSignIn: boolean): string {
  const who = count(people, 'invited person', 'invited people')
  return `only ${who}${mustSignIn ? ', signed in' : ''}`
}

const MAX_DOMAINS = 3

function domains(allowed: readonly string[]): string {
  if (allowed.length === 0) return ''
  if (allowed.length > MAX_DOMAINS) return ` at one of ${allowed.length} domains`
  return ` at ${allowed.join(' or ')}`
}

/** `2026-11-21 10:00 UTC` */
export function minuteOf(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`
}

/** Ignores case, accents and compatible forms such as full-width letters. */
function fold(text: string): string {
  return text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** The searchable text of a page, which is stored with it: its title and its slug. */
export function searchTextOf({ title, slug }: { title: string | null; slug: string }): string {
  return `${fold(title ?? '')}\n${slug}`
}

/** The words of a search in the form of `searchTextOf`. A page matches if it has all of them. */
export function searchWordsIn(text: string): string[] {
  return [...new Set(fold(text).split(/\s+/u))].filter((word) => word !== '')
}

/**
 * Features of content that work completely only at the root of a host of its own: addresses of
 * files from the root, routing by path, workers from its files, storage in the browser, or messages
 * to a window that it has opened.
 */
export const ORIGIN_NEEDS = ['root_paths', 'router', 'worker', 'storage', 'window'] as const
export type OriginNeed = (typeof ORIGIN_NEEDS)[number]
