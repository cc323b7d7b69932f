import { describe, expect, test } from 'bun:test'
import { processorMs } from '../testing/processor-time.ts'
import { type SearchEntry, searchDocs, splitAtMatches } from './docs-search.ts'

const entry = (title: string, text: string, page = 'Pages'): SearchEntry => ({
  url: `/docs#${title}`,
  title,
  page,
  text,
})
const ENTRIES = [
  entry('Limits', 'A page closes after max_views views.'),
  entry('max_views', 'Closes the link.'),
  entry('Create a page', 'Many words. '.repeat(40) + 'Set max_views to close it. '.repeat(8)),
  entry('Errors', 'View limits and expiry.', 'Errors'),
  entry('List webhooks', 'Each webhook of the account.', 'Webhooks'),
  entry('Webhooks', 'Sends what viewers do.', ''),
]
const titles = (query: string) => searchDocs(ENTRIES, query, 10).map((each) => each.entry.title)

describe('a search of the documentation', () => {
  const cases: [query: string, titles: string[]][] = [
    ['max_views', ['max_views', 'Limits', 'Create a page']],
    ['MAX_VIEWS', ['max_views', 'Limits', 'Create a page']],
    ['max', ['max_views', 'Limits', 'Create a page']],
    ['close link', ['max_views']],
    ['errors', ['Errors']],
    ['webhook', ['Webhooks', 'List webhooks']],
    ['create', ['Create a page']],
    ['create nowhere', ['Create a page']],
    ['how do I create a page?', ['Create a page']],
    ['view limits in kubernetes', ['Limits', 'Errors']],
    ['nowhere', []],
    ['how?', []],
    ['', []],
    ['   ', []],
    ['(.*)', []],
  ]
  for (const [query, expected] of cases) {
    test(`finds ${expected.join(', ') || 'nothing'} for “${query}”`, () => {
      expect(titles(query)).toEqual(expected)
    })
  }
  test('answers as many as it is asked for', () => {
    expect(searchDocs(ENTRIES, 'max_views', 1)).toHaveLength(1)
  })
  test('shows the text around the first match, in whole words', () => {
    const [found] = searchDocs(ENTRIES, 'create max_views', 1)
    expect(found!.excerpt).toMatch(/^…(?:Many )?words\. .*Set max_views to close it\. .*…$/)
    expect(found!.excerpt.length).toBeLessThan(160)
  })
  test('takes a hostile query in no time', () => {
    const took = processorMs(() => {
      expect(titles('a'.repeat(100_000))).toEqual([])
      expect(splitAtMatches('a'.repeat(10_000), `${'(a+)+ '.repeat(20)}$`)).toHaveLength(1)
    })
    expect(took).toBeLessThan(2000)
  })
})

test('matches are the odd parts of the text', () => {
  expect(splitAtMatches('Set Max_Views and more', 'max_views more')).toEqual([
    'Set ',
    'Max_Views',
    ' and ',
    'more',
    '',
  ])
  expect(splitAtMatches('a.b', '.')).toEqual(['a', '.', 'b'])
  expect(splitAtMatches('text', '')).toEqual(['text'])
})
