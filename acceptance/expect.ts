/** What every response of a kind must be. */
import { expect } from 'bun:test'
import type { Answer, Page } from './client.ts'

interface Refused {
  readonly code: string
  readonly message: string
  readonly param?: string
  readonly [detail: string]: unknown
}

/** Expects a refusal as JSON that reveals no internals. @returns its `error` */
export function expectRefusal(answer: Answer, status: number, code?: string): Refused {
  const excerpt = answer.text.slice(0, 300)
  expect(answer.status, `status of: ${excerpt}`).toBe(status)
  expect(answer.headers.get('content-type') ?? '').toMatch(/^application\/json\b/)
  const body = answer.json as { error: Refused; data?: unknown }
  expect(Object.keys(body), 'only the error').toEqual(['error'])
  const { error } = body
  expect(error.code).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/)
  expect(typeof error.message).toBe('string')
  expect(error.message.trim().length, 'a sentence').toBeGreaterThan(10)
  expect(excerpt, 'no internals').not.toMatch(
    /\bat [\w.<>]+ \(|\.ts:\d+|node_modules|sqlite|postgres|SELECT |INSERT |UPDATE |ZodError/i,
  )
  if (code) expect(error.code, excerpt).toBe(code)
  return error
}

/** Expects a 400 whose `param` is the parameter or a path within it (`files.0.path`). */
export function expectBadParam(answer: Answer, param: string): Refused {
  const error = expectRefusal(answer, 400)
  const named = String(error.param)
  const head = named.split(/[.[]/)[0]
  expect(head, `param of: ${answer.text.slice(0, 300)}`).toBe(param)
  return error
}

/**
 * Expects a 400 for a parameter's content rather than its type. `param` may be missing, but must
 * not name another one.
 */
export function expectBadContent(answer: Answer, param: string): Refused {
  const error = expectRefusal(answer, 400)
  if (error.param !== undefined) expectBadParam(answer, param)
  return error
}

/** Expects JSON with the status. */
export function expectJson(answer: Answer, status: number): void {
  expect(answer.status, answer.text.slice(0, 300)).toBe(status)
  expect(answer.headers.get('content-type') ?? '').toMatch(/^application\/json\b/)
}

export const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

const nullOr = (type: string) => (value: unknown) => value === null || typeof value === type
const only = (type: string) => (value: unknown) => typeof value === type
const oneOf = (values: string[]) => (value: unknown) => values.includes(value as string)
const listOf = (type: string) => (value: unknown) =>
  Array.isArray(value) && value.every((item) => typeof item === type)
const time = (value: unknown) => typeof value === 'string' && timestamp.test(value)
const nullOrTime = (value: unknown) => value === null || time(value)

const STATES = ['live', 'changes', 'draft', 'closed']

/** Every field of the spec's page object except `password`, with its type. */
export const pageFields: Record<string, (value: unknown) => boolean> = {
  id: only('string'),
  slug: only('string'),
  url: only('string'),
  title: nullOr('string'),
  access: oneOf(['link', 'people', 'private', 'password', 'email_gate']),
  perm: oneOf(['owner']),
  allowed_emails: listOf('string'),
  people: listOf('object'),
  accent: only('string'),
  source: oneOf(['api', 'mcp', 'cli', 'upload', 'editor']),
  indexed: only('boolean'),
  kind: oneOf(['single', 'bundle']),
  entry_path: nullOr('string'),
  file_count: only('number'),
  size_bytes: only('number'),
  sha256: nullOr('string'),
  needs_origin: listOf('string'),
  is_published: only('boolean'),
  has_unpublished_changes: only('boolean'),
  state: oneOf(STATES),
  closed_by: (value) => value === null || oneOf(['taken_down', 'expired', 'view_limit'])(value),
  taken_down_at: nullOrTime,
  taken_down_reason: nullOr('string'),
  published_at: nullOrTime,
  created_at: time,
  updated_at: time,
  views: only('number'),
  expires_at: nullOrTime,
  max_views: nullOr('number'),
  download_disabled: only('boolean'),
  watermark: only('boolean'),
  fallback: nullOr('string'),
  notify_on_view: only('boolean'),
  allow_comments: only('boolean'),
  comments_require_email: only('boolean'),
  collect_approvals: only('boolean'),
  approver_emails: listOf('string'),
  approvals_visibility: oneOf(['owner', 'shared']),
  collect_votes: only('boolean'),
  poll_question: nullOr('string'),
  poll_options: listOf('string'),
  poll_require_email: only('boolean'),
  poll_results: oneOf(['public', 'vote', 'owner']),
  poll_named: only('boolean'),
  poll_closes_at: nullOrTime,
  require_signin: only('boolean'),
  allow_access_requests: only('boolean'),
  business_only: only('boolean'),
  allowed_domains: listOf('string'),
  og_title: nullOr('string'),
  og_description: nullOr('string'),
  file: (value) => value === null || typeof value === 'object',
}

/** Expects every field with its type, and no secret. */
export function expectPage(page: Page): void {
  for (const [field, fits] of Object.entries(pageFields)) {
    expect(page, `page has ${field}`).toHaveProperty(field)
    expect(fits(page[field]), `${field} is ${JSON.stringify(page[field])}`).toBe(true)
  }
  if (page.access !== 'password') expect(page).not.toHaveProperty('password')
  for (const field of Object.keys(page)) {
    expect(field).not.toMatch(/account|cipher|hash$|nonce|epoch|key|draft_|secret|token/)
  }
}

/** Runs every case, and then fails with the names and messages of all that failed. */
export async function everyCase<T>(
  cases: Iterable<readonly [string, T]>,
  check: (value: T, name: string) => Promise<unknown> | unknown,
): Promise<void>
export async function everyCase(
  cases: Iterable<readonly [string, unknown]>,
  check: (value: unknown, name: string) => Promise<unknown> | unknown,
): Promise<void>
export async function everyCase(
  cases: Iterable<readonly [string, unknown]>,
  check: (value: unknown, name: string) => Promise<unknown> | unknown,
): Promise<void> {
  const failures: string[] = []
  for (const [name, value] of cases) {
    try {
      await check(value, name)
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  if (failures.length > 0) throw new Error(`${failures.length} failed\n${failures.join('\n')}`)
}

export const L0 =
  'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals ' +
  'allow-downloads allow-pointer-lock allow-orientation-lock allow-presentation'

/** Expects the headers of user content. */
export function expectContentHeaders(answer: Answer, policy: 'html' | 'svg' | 'inert'): void {
  const { headers } = answer
  const csp = headers.get('content-security-policy') ?? ''
  expect(csp).not.toMatch(/allow-same-origin|allow-top-navigation/)
  if (policy === 'html') expect(directives(csp).sandbox).toEqual(sandboxOf(L0))
  if (policy === 'svg') {
    expect(directives(csp)).toEqual({
      'default-src': ["'none'"],
      'style-src': ["'unsafe-inline'"],
      sandbox: [],
    })
  }
  if (policy === 'inert') {
    expect(directives(csp)).toEqual({ 'default-src': ["'none'"], 'frame-ancestors': ["'self'"] })
  }
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('access-control-allow-credentials')).toBeNull()
}

function directives(policy: string): Record<string, string[]> {
  const result: Record<string, string[]> = {}
  for (const part of policy.split(';')) {
    const [name, ...values] = part.trim().split(/\s+/)
    if (name) result[name.toLowerCase()] = values.sort()
  }
  return result
}

function sandboxOf(policy: string): string[] {
  return policy.split(' ').slice(1).sort()
}

/** Expects a notice or gate without the hidden texts, and not for search engines. */
export function expectNotice(answer: Answer, status: number, hidden: string[]): void {
  expect(answer.status, answer.text.slice(0, 300)).toBe(status)
  expect(answer.headers.get('x-robots-tag') ?? '').toContain('noindex')
  for (const words of hidden) expect(answer.text).not.toContain(words)
}

/** Expects the gate of a page. */
export function expectGate(answer: Answer, hidden: string[]): void {
  expectNotice(answer, 403, hidden)
  expect(answer.headers.get('cache-control') ?? '').toContain('no-store')
}
