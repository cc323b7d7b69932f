import type { Input } from '../../../src/client/index.ts'
import { ACCESS_PHRASES } from '../page/words.ts'

/** What the list shows, and in which order. The address's query holds it. */
export type Filters = Pick<
  Input<'listPages'>,
  'search' | 'sort' | 'order' | 'access' | 'state' | 'kind' | 'folder'
>
type Name = keyof Filters

/** The filters that are chosen from a list, with the words for each value. */
export const CHOICES = {
  access: { label: 'Access', words: ACCESS_PHRASES },
  state: {
    label: 'State',
    words: {
      live: 'Live',
      changes: 'Changes waiting',
      draft: 'Draft',
      closed: 'Closed',
      trash: 'In the trash',
    },
  },
  kind: { label: 'Kind', words: { single: 'Page', bundle: 'Deck', pdf: 'PDF', image: 'Image' } },
} as const satisfies { [K in Name]?: { label: string; words: Record<string, string> } }
export type Choice = keyof typeof CHOICES

export const SORTS = { updated: 'Edited', created: 'Created', title: 'Title', views: 'Views' }
export type Sort = keyof typeof SORTS

const ORDERS = { asc: true, desc: true }

/** Ignores unknown values in the query, so that an old or mistyped address shows a list, too. */
export function filtersIn(query: string): Filters {
  const params = new URLSearchParams(query)
  const oneOf = (name: Name, words: object) => {
    const value = params.get(name)
    return value !== null && Object.hasOwn(words, value) ? { [name]: value } : {}
  }
  const text = (name: 'search' | 'folder') => {
    const value = params.get(name)?.trim()
    return value ? { [name]: value } : {}
  }
  return {
    ...text('search'),
    ...text('folder'),
    ...oneOf('sort', SORTS),
    ...oneOf('order', ORDERS),
    ...oneOf('access', CHOICES.access.words),
    ...oneOf('state', CHOICES.state.words),
    ...oneOf('kind', CHOICES.kind.words),
  }
}

export function queryOf(filters: Filters): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) if (value) params.set(name, value)
  return params.toString()
}

/** The order in which a list starts: a title's is alphabetical, all else has the most first. */
export function orderOf({ sort, order }: Filters): 'asc' | 'desc' {
  return order ?? (sort === 'title' ? 'asc' : 'desc')
}

/** Sorts by a column, or the other way round where the list is sorted by it already. */
export function sortedBy(filters: Filters, sort: Sort): Filters {
  const { sort: _, order: __, ...rest } = filters
  const isSame = (filters.sort ?? 'updated') === sort
  const next = sort === 'updated' ? rest : { ...rest, sort }
  const reverse = orderOf(filters) === 'asc' ? 'desc' : 'asc'
  const order = isSame ? reverse : orderOf({ sort })
  return order === orderOf({ sort }) ? next : { ...next, order }
}

/** Whether pages are left out, so that an empty list does not mean an empty account. */
export function isNarrowed({ search, access, state, kind, folder }: Filters): boolean {
  return Boolean(search || access || state || kind || folder)
}
