import { expect, test } from 'bun:test'
import { imageSourceOf } from './link-preview.tsx'

const PAGE = 'https://pages.example.com/p/plan'
const CASES: [image: string | null, found: ReturnType<typeof imageSourceOf>][] = [
  [null, null],
  [`${PAGE}/cover.png`, { path: 'cover.png' }],
  ['/p/plan/img/a%20b.png?v=2', { path: 'img/a b.png' }],
  ['https://cdn.example.com/x.png', { host: 'cdn.example.com' }],
  ['//cdn.example.com/x.png', { host: 'cdn.example.com' }],
  ['https://pages.example.com/p/other/x.png', { host: 'pages.example.com' }],
  ['https://pages.example.com/p/planet/x.png', { host: 'pages.example.com' }],
  [`${PAGE}/../other/x.png`, { host: 'pages.example.com' }],
  [`${PAGE}/`, null],
  [`${PAGE}/%E0%A4%A`, null],
  ['data:image/png;base64,AAAA', null],
  ['javascript:alert(1)', null],
  ['http://', null],
]

for (const [image, found] of CASES) {
  test(`an image at ${image} is ${JSON.stringify(found)}`, () => {
    expect(imageSourceOf(image, PAGE)).toEqual(found)
  })
}

test('a relative address is taken from the document: that of a deck is below its page', () => {
  expect(imageSourceOf('cover.png', PAGE)).toEqual({ host: 'pages.example.com' })
  expect(imageSourceOf('cover.png', PAGE, 'index.html')).toEqual({ path: 'cover.png' })
  expect(imageSourceOf('../cover.png', PAGE, 'a/b.html')).toEqual({ path: 'cover.png' })
})
