import { expect } from 'bun:test'

/** Copied from the contract, not imported from the code under test. */
const SANDBOX =
  'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals ' +
  'allow-downloads allow-pointer-lock allow-orientation-lock allow-presentation'
const SVG = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
const FILE = "default-src 'none'; frame-ancestors 'self'"

const OWN_FRAMES = "; frame-ancestors 'self'"

const POLICIES = {
  sandbox: SANDBOX,
  svg: SVG,
  file: FILE,
  'sandbox preview': SANDBOX + OWN_FRAMES,
  'svg preview': SVG + OWN_FRAMES,
}
export type Policy = keyof typeof POLICIES

/** For a response with published content, a part of it, or a redirect to it. */
export function expectContentHeaders({ headers }: Response, policy: Policy): void {
  expect(headers.get('content-security-policy')).toBe(POLICIES[policy])
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('cache-control')).toMatch(/^private, no-(cache|store)$/)
  expectNoPrivileges(headers)
}

/**
 * For a document of the service itself: a notice, a gate, the viewer, the shell.
 *
 * @param isFramed others of the service may frame it
 */
export function expectOwnHeaders(answer: Response, isFramed = false): void {
  expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  expectDocumentHeaders(answer, isFramed)
}

/** For the notice that there is nothing: as a plain server's, any script may read its status. */
export function expectNotFoundHeaders(answer: Response, isFramed = false): void {
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expectDocumentHeaders(answer, isFramed)
}

function expectDocumentHeaders({ headers }: Response, isFramed: boolean): void {
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toStartWith("default-src 'none'; ")
  expect(policy).toContain(`frame-ancestors ${isFramed ? "'self'" : "'none'"}`)
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|script-src[^;]*('self'|\*|https?:)/)
  expect(headers.get('x-frame-options')).toBe(isFramed ? 'SAMEORIGIN' : 'DENY')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expectNoPrivileges(headers)
}

/**
 * For any response of a page's own host, by the contract: content has no sandbox there, and nothing
 * on that host can be framed or loaded by another page.
 *
 * @param framedBy the base host's origin where its documents may frame the response
 */
export function expectOwnHostHeaders({ headers }: Response, framedBy: string | null): void {
  const policy = headers.get('content-security-policy') ?? ''
  const ancestors = /(?:^|; )frame-ancestors ([^;]*)$/.exec(policy)?.[1]
  expect(ancestors).toBe(framedBy === null ? "'self'" : `'self' ${framedBy}`)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('origin-agent-cluster')).toBe('?1')
  expect(headers.get('x-robots-tag')).toBe('noindex')
  expect(headers.get('cache-control')).toMatch(/^(?:private, no-cache|(?:private, )?no-store)$/)
  expect(headers.get('referrer-policy')).toStartWith('strict-origin')
  expect(headers.get('access-control-allow-origin')).toBeNull()
  expect(headers.get('access-control-allow-credentials')).toBeNull()
  expect(headers.get('service-worker-allowed')).toBeNull()
}

/** For content on a page's own host, in a window of its own. */
export function expectOwnHostContent(answer: Response): void {
  expectOwnHostHeaders(answer, null)
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
  expect(answer.headers.get('content-security-policy')).toBe("frame-ancestors 'self'")
  expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
  expect(answer.headers.get('clear-site-data')).toBeNull()
}

/** For what a page's own host answers besides content: a redirect, a notice, a refusal. */
export function expectOwnHostAnswer(answer: Response, baseOrigin: string): void {
  expectOwnHostHeaders(answer, baseOrigin)
  expect(answer.headers.get('cross-origin-embedder-policy')).toBe('require-corp')
  expect(answer.headers.get('content-security-policy')).toStartWith("default-src 'none'; ")
  expect(answer.headers.get('content-security-policy')).not.toMatch(/script-src|allow-/)
  expect(answer.headers.get('cache-control')).toBe('no-store')
}

function expectNoPrivileges(headers: Headers): void {
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).not.toContain('allow-same-origin')
  expect(policy).not.toContain('allow-top-navigation')
  expect(headers.get('access-control-allow-credentials')).toBeNull()
  expect(headers.get('service-worker-allowed')).toBeNull()
  expect(headers.get('clear-site-data')).toBeNull()
}
