import { describe, expect, test } from 'bun:test'
import { plainSite } from '../../../model/site.ts'
import { setupClosedPage, setupPage } from './setup.ts'

const context = { site: plainSite('pages.example.com'), checks: { sendsMails: true } }
const nasty = '"><script>alert(1)</script>'

describe('the set-up page', () => {
  test('asks for an email and an optional name, and posts to its own link', () => {
    const page = setupPage(context, { token: 'a/b' })
    expect(page).toContain('<form method="post" action="a%2Fb">')
    expect(page).toMatch(/name="email" type="email"[^>]* required autofocus/)
    expect(page).toContain('Create the account')
    expect(page).not.toContain('role="alert"')
  })
  test('keeps the input, escaped, beside the error', () => {
    const input = { email: nasty, name: 'Ada' }
    const page = setupPage(context, { token: 't', error: 'That is not an email address.', input })
    expect(page).toContain('role="alert">That is not an email address.</p>')
    expect(page).toContain('value="&quot;&gt;&lt;script&gt;')
    expect(page).toContain('value="Ada"')
    expect(page).toContain('aria-invalid="true"')
    expect(page.match(/<script/g)).toHaveLength(1)
  })
  test('says when its link is closed, and what to do then', () => {
    const page = setupClosedPage(context)
    expect(page).toContain('used or has expired')
    expect(page).toContain('bin/handbill account add')
  })
})
