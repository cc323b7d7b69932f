import { describe, expect, test } from 'bun:test'
import { plainSite } from '../../model/site.ts'
import { homePage } from './index.ts'

const baseUrl = 'https://pages.example.com'
const site = plainSite('pages.example.com')

describe('the home page', () => {
  test('says how to publish a first page, and where the reference is', () => {
    const page = homePage({ baseUrl, site, hasAccounts: true })
    expect(page).toContain(`curl ${baseUrl}/api/v1/pages \\`)
    expect(page).toContain('Bearer $HANDBILL_API_KEY')
    expect(page).toContain('href="/docs"')
    expect(page).not.toContain('Nobody has an account')
  })
  test('says where the set-up link is while there is no account', () => {
    expect(homePage({ baseUrl, site, hasAccounts: false })).toContain(
      'Nobody has an account here yet',
    )
  })
})
