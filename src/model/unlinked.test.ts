import { expect, test } from 'bun:test'
import { unlinked } from './html.ts'

test.each([
  ['See https://example.com/a?b=c.d.', 'See https[:]//example[.]com/a?b=c.d.'],
  ['www.example.co.uk, now', 'www[.]example[.]co[.]uk, now'],
  ['ann@example.com', 'ann@example[.]com'],
  ['mailto:ann@example.com or tel:+123', 'mailto[:]ann@example[.]com or tel[:]+123'],
  ['HTTPS://EXAMPLE.COM', 'HTTPS[:]//EXAMPLE[.]COM'],
  ['ftp://1.2.3.4/x', 'ftp[:]//1.2.3.4/x'],
  ['例え。テスト and müller.example', '例え[.]テスト and müller[.]example'],
  ['evil.xn--p1ai', 'evil[.]xn--p1ai'],
])('%s is no link any more', (text, expected) => {
  expect(unlinked(text)).toBe(expected)
})

test.each(['Hello.', 'At 9:30, e.g. 3.5 mm. Next: a.m.', 'wait...what', 'A: b', '.htaccess', ''])(
  '“%s” stays as it is',
  (text) => expect(unlinked(text)).toBe(text),
)
