import { expect, it } from 'bun:test'
import { splitAtLinks } from './comment.tsx'

const linksIn = (text: string) =>
  splitAtLinks(text)
    .filter(({ isLink }) => isLink)
    .map((piece) => piece.text)

it.each([
  ['none', 'Nothing to see', []],
  ['a sentence', 'See https://example.com/a.', ['https://example.com/a']],
  ['brackets around it', '(https://example.com/a)', ['https://example.com/a']],
  ['brackets in it', 'https://example.com/a_(b)', ['https://example.com/a_(b)']],
  ['two', 'http://a.example and https://b.example!', ['http://a.example', 'https://b.example']],
  ['a quote after it', '"https://a.example"onclick=alert(1)', ['https://a.example']],
  ['another scheme', 'javascript:alert(1) data:text/html,x ftp://a.example', []],
  ['no address', 'https://%zz', []],
])('finds addresses of the web: %s', (_, text, links) => {
  expect(linksIn(text)).toEqual(links)
  expect(
    splitAtLinks(text)
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text)
})
