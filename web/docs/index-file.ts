import type { SearchEntry } from '../../src/model/docs-search.ts'

/** Loads the parts of the documentation that a search can find. */
export async function loadIndex(): Promise<SearchEntry[]> {
  const response = await fetch('/docs/search.json')
  return response.ok ? ((await response.json()) as SearchEntry[]) : []
}
