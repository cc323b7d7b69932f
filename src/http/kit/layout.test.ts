import { expect, test } from 'bun:test'
import { LAYOUT_CSP } from './layout.ts'

test('the policy of our own pages allows forms to our origin, and one script', () => {
  expect(LAYOUT_CSP).toContain("default-src 'none'")
  expect(LAYOUT_CSP).toContain("form-action 'self'")
  expect(LAYOUT_CSP.match(/script-src [^;]+/g)).toEqual([
    expect.stringMatching(/^script-src 'sha256-[^' ]+'$/),
  ])
})
