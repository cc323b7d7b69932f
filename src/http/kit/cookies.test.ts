import { describe, expect, test } from 'bun:test'
import { createCookies, newBrowser, readCookie } from './cookies.ts'

const baseUrl = 'https://pages.example.com'

describe('cookies', () => {
  const token = 't'.repeat(43)
  const withCookie = (cookie: string) => new Request(baseUrl, { headers: { cookie } })

  test('have flags and a prefix that keep scripts and other hosts out', () => {
    const cookies = createCookies(baseUrl)
    expect(cookies.session(token)).toBe(
      `__Host-handbill_session=${token}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax; Secure`,
    )
    expect(cookies.endSession()).toContain('__Host-handbill_session=; Max-Age=0; Path=/')
    expect(cookies.browser(newBrowser())).toMatch(
      /^__Host-handbill_browser=[\w-]{22}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
    const plain = createCookies('http://192.168.1.5:8787').session(token)
    expect(plain).toBe(`handbill_session=${token}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax`)
  })

  test('are read by their exact name and format, and never when there are two', () => {
    const { sessionOf, browserOf } = createCookies(baseUrl)
    const name = '__Host-handbill_session'
    expect(sessionOf(withCookie(`a=b;  ${name}=${token}; c=d`))).toBe(token)
    const invalid = [
      `handbill_session=${token}`,
      `x${name}=${token}`,
      `${name}x=${token}`,
      `${name} =${token}`,
      `${name}=`,
      `${name}="${token}"`,
      `${name}=${token}x`,
      `${name}=${token}; ${name}=${'e'.repeat(43)}`,
    ]
    for (const cookie of invalid) expect(sessionOf(withCookie(cookie))).toBeNull()
    expect(sessionOf(new Request(baseUrl))).toBeNull()
    expect(browserOf(withCookie('__Host-handbill_browser=short'))).toBeNull()
    expect(readCookie(withCookie('a=1=2'), 'a')).toBe('1=2')
  })
})
