import { refuse } from '../../model/errors.ts'
import { MAX_SAVED_FILTERS, type SavedFilters } from './contract.ts'

/** Filters under a name; null: no longer. */
export type SavedFiltersChange = Pick<SavedFilters, 'name'> & {
  filters: SavedFilters['filters'] | null
}

/**
 * Stores filters under their names, and keeps all others.
 *
 * @returns all of the account, by name
 * @throws Refusal `too_many_saved_filters`
 */
export function changeSaved(
  saved: readonly SavedFilters[],
  changes: readonly SavedFiltersChange[],
): SavedFilters[] {
  const byName = new Map([...saved, ...changes].map(({ name, filters }) => [name, filters]))
  const kept = [...byName].flatMap(([name, filters]) => (filters === null ? [] : { name, filters }))
  if (kept.length <= MAX_SAVED_FILTERS) return kept.sort((a, b) => (a.name < b.name ? -1 : 1))
  throw refuse.conflict(
    'too_many_saved_filters',
    `An account saves the filters of ${MAX_SAVED_FILTERS} views. Delete one first.`,
  )
}
