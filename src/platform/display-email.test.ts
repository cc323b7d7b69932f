import { expect, test } from 'bun:test'
import { displayDomain, displayEmail, displayStranger } from './display-email.ts'

const CASES: [string, string][] = [
  ['ann@example.com', 'ann@example.com'],
  ['ann@xn--mller-kva.example', 'ann@müller.example'],
  ['jürgen@mail.xn--mller-kva.example', 'jürgen@mail.müller.example'],
  ['ann@xn--fsq.xn--0zwm56d', 'ann@例.测试'],
  ['иван@xn--e1afmkfd.xn--80akhbyknj4f', 'иван@пример.испытание'],
  // Cyrillic `apple`, and Latin `p` before Cyrillic letters.
  ['ceo@xn--80ak6aa92e.com', 'ceo@xn--80ak6aa92e.com'],
  ['ceo@xn--pypal-4ve.com', 'ceo@xn--pypal-4ve.com'],
]
for (const [email, display] of CASES) {
  test(`${email} is shown as ${display}`, () => {
    expect(displayEmail(email)).toBe(display)
  })
}

test('a domain that is no valid encoding is shown as it is', () => {
  expect(displayDomain('xn--a-ecp.xn--0')).toContain('xn--')
})

test('an address of a stranger is shown with its canonical form, where that differs', () => {
  expect(displayStranger('ann@example.com')).toBe('ann@example.com')
  expect(displayStranger('ann@xn--mller-kva.example')).toBe(
    'ann@müller.example (ann@xn--mller-kva.example)',
  )
})
