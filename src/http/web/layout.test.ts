import { describe, expect, test } from 'bun:test'
import { homePage, SHEET_CSP } from './home.ts'
import { setupDonePage, setupGonePage, setupPage } from './setup.ts'

const baseUrl = 'https://pages.example.com'
const host = 'pages.example.com'
const key = 'sm_0000000000000000000000000000000000000000'
const nasty = '"><script>alert(1)</script>'

describe('the page at the root', () => {
  test('says how to publish a first page, and where the reference is', () => {
    const page = homePage({ baseUrl, fresh: false })
    expect(page).toContain(`curl ${baseUrl}/api/v1/pages \\`)
    expect(page).toContain('Bearer $HANDBILL_API_KEY')
    expect(page).toContain('href="/docs"')
    expect(page).not.toContain('Nobody has an account')
  })
  test('tells a newcomer where the set-up link is', () => {
    expect(homePage({ baseUrl, fresh: true })).toContain('Nobody has an account here yet')
  })
})

describe('the set-up page', () => {
  test('asks for an email and an optional name, and posts to its own link', () => {
    const page = setupPage({ token: 'a/b', host })
    expect(page).toContain('<form method="post" action="a%2Fb">')
    expect(page).toMatch(/name="email" type="email"[^>]* required autofocus/)
    expect(page).toContain('Create the account')
    expect(page).not.toContain('role="alert"')
  })
  test('keeps what was typed beside what is wrong with it', () => {
    const values = { email: nasty, name: 'Ada' }
    const page = setupPage({ token: 't', error: 'That is not an email address.', values })
    expect(page).toContain('role="alert">That is not an email address.</p>')
    expect(page).toContain('value="&quot;&gt;&lt;script&gt;')
    expect(page).toContain('value="Ada"')
    expect(page).toContain('aria-invalid="true"')
    expect(page).not.toContain('<script')
  })
  test('shows the key once made, and a command that uses it', () => {
    const page = setupDonePage({ email: 'ada@example.com', key, baseUrl })
    expect(page).toContain(`<code class="key">${key}</code>`)
    expect(page).toContain(`Bearer ${key}&quot;`)
    expect(page).toContain('ada@example.com')
  })
  test('says when its link is closed, and what one can do', () => {
    const page = setupGonePage({ host })
    expect(page).toContain('used or has expired')
    expect(page).toContain('bin/handbill account add')
  })
})

test('a form may be posted to the service and nothing may run', () => {
  expect(SHEET_CSP).toContain("default-src 'none'")
  expect(SHEET_CSP).toContain("form-action 'self'")
  expect(SHEET_CSP).not.toContain('script')
})
