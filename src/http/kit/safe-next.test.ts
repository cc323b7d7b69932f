import { expect, test } from 'bun:test'
import { safeNext } from './csrf.ts'

const ALLOWED = [
  '/app',
  '/app/',
  '/app/pages/pg_1',
  '/app?a=1',
  '/p/plan',
  '/p/plan/a%20b.html#top',
]
for (const path of [...ALLOWED, '/p/plan?to=https://example.com//x']) {
  test(`allows ${path}`, () => expect(safeNext(path)).toBe(path))
}

test('resolves dot segments before the check', () => {
  expect(safeNext('/p/a/../b')).toBe('/p/b')
  expect(safeNext('/p/é')).toBe('/p/%C3%A9')
})

const REFUSED = [
  null,
  undefined,
  '',
  '/',
  '/p/',
  '/p',
  '/apple',
  '/application/x',
  '/api/v1/pages',
  'app',
  'https://evil.example/app',
  'http://ours.invalid/app',
  '//evil.example/app',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/app\\..\\..',
  '/p/..//evil.example',
  '/p//evil.example',
  '/app//evil.example',
  '/p/../setup/x',
  '/p/%2e%2e/setup/x',
  '/p/%2e%2e%2fsetup',
  '/p/a%2f%2fevil.example',
  '/p/a%5cevil.example',
  '/p/%252f%252fevil.example',
  '%2f%2fevil.example',
  '/%2fevil.example',
  '/p/a\r\nset-cookie: a=b',
  '/p/a%0d%0aset-cookie:%20a=b',
  '/\t/evil.example',
  '/p/\t/evil.example',
  ' /app',
  '/app @evil.example',
  'javascript:alert(1)',
  '/app/sign-in?next=/app',
  '/app/sign-out',
  '/app/confirm/x',
  '/app\u0000',
  '/p/\ud800',
  `/app/${'x'.repeat(3000)}`,
]
for (const path of REFUSED) {
  test(`refuses ${JSON.stringify(path)}`.slice(0, 80), () => expect(safeNext(path)).toBeNull())
}
