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

/** For a document of the service itself: a notice, a gate, the viewer, the shell. */
export function expectOwnHeaders({ headers }: Response): void {
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toStartWith("default-src 'none'; ")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|script-src[^;]*('self'|\*|https?:)/)
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('access-control-allow-origin')).toBeNull()
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expectNoPrivileges(headers)
}

function expectNoPrivileges(headers: Headers): void {
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).not.toContain('allow-same-origin')
  expect(policy).not.toContain('allow-top-navigation')
  expect(headers.get('access-control-allow-credentials')).toBeNull()
  expect(headers.get('service-worker-allowed')).toBeNull()
  expect(headers.get('clear-site-data')).toBeNull()
}
