import { expect, test } from 'bun:test'
import { closestParameter } from './input.ts'

const KNOWN = ['html', 'html_url', 'title', 'access', 'max_views', 'allowed_emails', 'expires_at']

test.each([
  ['content', 'html'],
  ['Content', 'html'],
  ['titel', 'title'],
  ['maxViews', 'max_views'],
  ['max-view', 'max_views'],
  ['allowed_email', 'allowed_emails'],
  ['expires', 'expires_at'],
  ['colour', null],
  ['constructor', null],
  ['__proto__', null],
  ['', null],
  ['x'.repeat(100_000), null],
])('%s means %p', (unknown, known) => {
  expect(closestParameter(unknown, KNOWN)).toBe(known)
})
