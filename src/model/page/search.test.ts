import { expect, test } from 'bun:test'
import { searchTextOf, searchWordsIn } from './facts.ts'

const CASES: [title: string | null, slug: string, search: string, isFound: boolean][] = [
  ['Launch plan', 'k3', 'launch', true],
  ['Launch plan', 'k3', 'PLAN lau', true],
  ['Launch plan', 'k3', 'launch date', false],
  ['Über uns', 'k3', 'uber', true],
  ['Uber', 'k3', 'über', true],
  ['İstanbul', 'k3', 'istanbul', true],
  ['Ｆｕｌｌ', 'k3', 'full', true],
  ['日本語の計画', 'k3', '計画', true],
  [null, 'launch-plan', 'plan launch', true],
  ['Plan', 'k3-b', 'plan k3', true],
  ['Plan', 'k3', 'plank3', false],
  ['Anything', 'k3', ' \u00a0 ', true],
]

test('a page is found by all words of a search in its title and slug, without case and accents', () => {
  for (const [title, slug, search, isFound] of CASES) {
    const text = searchTextOf({ title, slug })
    const isMatch = searchWordsIn(search).every((word) => text.includes(word))
    expect(isMatch, `${search} in ${title}, ${slug}`).toBe(isFound)
  }
})
