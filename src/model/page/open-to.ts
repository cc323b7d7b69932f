import { count } from '../numbers.ts'
import type { Access } from './setting-fields.ts'

/** What decides who can open a page now, as the API tells it. */
export interface OpenFacts {
  is_published: boolean
  closed_by: 'taken_down' | 'expired' | 'view_limit' | null
  expires_at: string | null
  max_views: number | null
  access: Access
  allowed_emails: readonly string[]
  require_signin: boolean
  allowed_domains: readonly string[]
  business_only: boolean
}

/**
 * Who besides the owner can open the page now, in words that follow `Open to`: what was changed may
 * not be what was meant, and this says it before anything else.
 */
export function openTo(page: OpenFacts): string {
  if (!page.is_published) return 'nobody: it is not published'
  switch (page.closed_by) {
    case 'taken_down':
      return 'nobody: the operator of the server took it down'
    case 'expired':
      return `nobody: it expired on ${minuteOf(page.expires_at!)}`
    case 'view_limit':
      return `nobody: it has reached its limit of ${count(page.max_views!, 'view')}`
    case null:
      return letIn(page)
  }
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
  if (people === 0) return 'nobody: no one is invited'
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
function minuteOf(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`
}
