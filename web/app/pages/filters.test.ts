import { expect, test } from 'bun:test'
import { filtersIn, isNarrowed, orderOf, queryOf, sortedBy } from './filters.ts'

test('the query of the address holds the filters, and what it does not know is left out', () => {
  const filters = { search: 'été & co', sort: 'views', access: 'people', kind: 'pdf' } as const
  expect(filtersIn(queryOf(filters))).toEqual(filters)
  expect(filtersIn('?sort=constructor&order=up&access=all&kind=&state=gone&x=1')).toEqual({})
  expect(filtersIn('?search=%20%20')).toEqual({})
  expect(queryOf({})).toBe('')
})

test('a column sorts by itself, and the other way round the second time', () => {
  const byViews = sortedBy({ search: 'a' }, 'views')
  expect(byViews).toEqual({ search: 'a', sort: 'views' })
  expect(sortedBy(byViews, 'views')).toEqual({ search: 'a', sort: 'views', order: 'asc' })
  expect(sortedBy(sortedBy(byViews, 'views'), 'views')).toEqual(byViews)
  expect(sortedBy(byViews, 'updated')).toEqual({ search: 'a' })
  expect(sortedBy({}, 'updated')).toEqual({ order: 'asc' })
  const byTitle = sortedBy({ order: 'asc' }, 'title')
  expect([byTitle, orderOf(byTitle)]).toEqual([{ sort: 'title' }, 'asc'])
  expect(sortedBy(byTitle, 'title')).toEqual({ sort: 'title', order: 'desc' })
})

test('an order alone leaves nothing out', () => {
  expect(isNarrowed({ sort: 'title', order: 'desc' })).toBe(false)
  expect(isNarrowed({ state: 'draft' })).toBe(true)
})
