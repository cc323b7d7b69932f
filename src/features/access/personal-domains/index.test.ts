import { expect, it } from 'bun:test'
import { createPersonalDomains } from './index.ts'

const isPersonal = createPersonalDomains()

it('knows where people have mail of their own', () => {
  for (const domain of ['gmail.com', 'web.de', 'proton.me', 'hey.com', 'yahoo.co.uk', 'qq.com']) {
    expect(isPersonal(domain), domain).toBe(true)
  }
})
it('knows what lies below them', () => {
  expect(isPersonal('mail.gmail.com')).toBe(true)
})
it('takes no business for one of them', () => {
  for (const domain of ['example.com', 'ibm.com', 'notgmail.com', 'gmail.com.example.org', 'com']) {
    expect(isPersonal(domain), domain).toBe(false)
  }
})
