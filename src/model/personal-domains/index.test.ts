import { expect, it } from 'bun:test'
import { isPersonalDomain } from './index.ts'

it('recognises domains of personal mail', () => {
  for (const domain of ['gmail.com', 'web.de', 'proton.me', 'hey.com', 'yahoo.co.uk', 'qq.com']) {
    expect(isPersonalDomain(domain), domain).toBe(true)
  }
})
it('recognises their subdomains', () => {
  expect(isPersonalDomain('mail.gmail.com')).toBe(true)
})
it('does not take a business domain for one', () => {
  for (const domain of ['example.com', 'ibm.com', 'notgmail.com', 'gmail.com.example.org', 'com']) {
    expect(isPersonalDomain(domain), domain).toBe(false)
  }
})
