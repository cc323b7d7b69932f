import { expect, test } from 'bun:test'
import { parseEmail } from './text.ts'

const CANONICAL: [string, string][] = [
  [' Ann@EXAMPLE.com ', 'ann@example.com'],
  [
    "a.b+c/d=e'f_{g}|h~i-j#k$l&m*n?o^p@example.com",
    "a.b+c/d=e'f_{g}|h~i-j#k$l&m*n?o^p@example.com",
  ],
  ['ann@Müller.example', 'ann@xn--mller-kva.example'],
  ['ann@xn--mller-kva.example', 'ann@xn--mller-kva.example'],
  ['Jürgen@Müller.example', 'jürgen@xn--mller-kva.example'],
  ['Ju\u0308rgen@example.com', 'jürgen@example.com'],
  ['иван@пример.example', 'иван@xn--e1afmkfd.example'],
  ['用户@例子.example', '用户@xn--fsqu00a.example'],
]
for (const [typed, canonical] of CANONICAL) {
  test(`${typed} is ${canonical}, which is its own canonical form`, () => {
    expect(parseEmail(typed)).toBe(canonical)
    expect(parseEmail(canonical)).toBe(canonical)
  })
}

const REFUSED: [string, string][] = [
  ['a percent sign, which relays', 'ann%evil.example@example.com'],
  ['an exclamation mark, which relays', 'evil.example!ann@example.com'],
  ['quotes', '"ann"@example.com'],
  ['a comment', 'ann(x)@example.com'],
  ['a space', 'an n@example.com'],
  ['a control character', 'ann\u0007@example.com'],
  ['a line end', 'ann@example.com\r\nBcc: eve@example.com'],
  ['a second @', 'ann@example.com@evil.example'],
  ['two dots', 'ann..b@example.com'],
  ['a dot at the start', '.ann@example.com'],
  ['a dot at the end', 'ann.@example.com'],
  ['a local part of 65 bytes', `${'ü'.repeat(32)}x@example.com`],
  ['an invisible character', 'an\u200bn@example.com'],
  ['a filler that is a letter', 'an\u3164n@example.com'],
  ['full-width letters, which some servers fold', 'ａnn@example.com'],
  ['a ligature, which some servers fold', 'ﬁona@example.com'],
  ['Cyrillic among Latin letters', 'аnn@example.com'],
  ['Greek among Latin letters', 'annο@example.com'],
  ['the direction of text', 'ann\u202e@example.com'],
  ['a domain of one label', 'ann@localhost'],
  ['an IP address', 'ann@[192.0.2.1]'],
]
for (const [what, typed] of REFUSED) {
  test(`an address with ${what} is refused`, () => {
    expect(parseEmail(typed)).toBeNull()
  })
}
