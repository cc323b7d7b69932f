import { expect, it } from 'bun:test'
import { BASE_URL, testApp } from '../../../testing/app.ts'

it('the frame of drafts has an origin of its own, framed by our documents alone', async () => {
  const app = await testApp('sqlite')
  const response = await app.fetch(new Request(`${BASE_URL}/app/draft-frame`))
  const policy = response.headers.get('content-security-policy')!
  expect(policy).toStartWith('sandbox ')
  expect(policy).toEndWith("; frame-ancestors 'self'")
  for (const token of ['allow-same-origin', 'allow-top-navigation', 'allow-popups']) {
    expect(policy).not.toContain(token)
  }
  expect(response.headers.get('x-frame-options')).toBe('SAMEORIGIN')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.has('set-cookie')).toBe(false)
})
