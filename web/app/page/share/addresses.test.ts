import { expect, test } from 'bun:test'
import { parseAddresses, parseDomains, withItems, withoutItem } from './addresses.ts'

const ADDRESSES: [text: string, items: string[], bad?: string[]][] = [
  ['', []],
  [' \n, ;', []],
  ['Ann@Example.com', ['ann@example.com']],
  ['ann@example.com, bob@example.com;cem@example.com', ['ann', 'bob', 'cem'].map(at)],
  ['ann@example.com\r\nbob@example.com\n', ['ann', 'bob'].map(at)],
  ['ann@example.com bob@example.com\tcem@example.com', ['ann', 'bob', 'cem'].map(at)],
  ['Ann Lee <ann@example.com>, "Bob, Jr." <bob@example.com>', ['ann', 'bob'].map(at)],
  ['<ann@example.com> <bob@example.com>', ['ann', 'bob'].map(at)],
  ['mailto:ann@example.com', ['ann@example.com']],
  ['ann@example.com, ANN@example.com', ['ann@example.com']],
  ['ann@bücher.example, ann@xn--bcher-kva.example', ['ann@bücher.example']],
  ['ann@example.com, bob@, Cem Kaya', ['ann@example.com'], ['bob@', 'Cem Kaya']],
  ['ann@localhost', [], ['ann@localhost']],
  ['<script>alert(1)</script>', [], ['script', '/script']],
  ['bob@, bob@', [], ['bob@']],
]

function at(name: string): string {
  return `${name}@example.com`
}

test.each(ADDRESSES)('addresses in %j', (text, items, bad = []) => {
  expect(parseAddresses(text)).toEqual({ items, bad })
})

test('many addresses are parsed at once', () => {
  const all = Array.from({ length: 2000 }, (_, i) => at(`p${i}`))
  expect(parseAddresses(all.join('\n')).items).toEqual(all)
})

const DOMAINS: [text: string, items: string[], bad?: string[]][] = [
  ['example.com, Example.org', ['example.com', 'example.org']],
  [
    '@example.com ann@example.org https://example.net/team',
    ['example.com', 'example.org', 'example.net'],
  ],
  ['localhost 127.0.0.1', [], ['localhost', '127.0.0.1']],
]

test.each(DOMAINS)('domains in %j', (text, items, bad = []) => {
  expect(parseDomains(text)).toEqual({ items, bad })
})

test('one address in two forms is in a list once', () => {
  const list = ['ann@bücher.example']
  expect(withItems(list, ['ANN@xn--bcher-kva.example', 'bob@example.com'])).toEqual([
    'ann@bücher.example',
    'bob@example.com',
  ])
  expect(withoutItem(list, 'ann@xn--bcher-kva.example')).toEqual([])
})
