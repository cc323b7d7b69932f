import type { Tables } from '../../platform/db/tables.ts'

/**
 * The counts of a page's visits besides its views. Each facet is counted separately, so that no two
 * facts about one visitor can be joined.
 */
export const FACETS = [
  'referrer',
  'country',
  'device',
  'browser',
  /** Opens of a file of a deck, and the time spent there. */
  'file',
  /** Places in a deck's files and pages of a PDF that were reached, and the time spent there. */
  'section',
  'sheet',
  /** Views whose time was measured, by how long they took. */
  'duration',
  /** Requests that a gate or notice answered, by reason. */
  'refusal',
  /** The same of who came by a named link: its id, and the reason. */
  'link_refusal',
] as const
export type Facet = (typeof FACETS)[number]

/** One fact about a visit. */
export type Fact = readonly [facet: Facet, value: string]

export interface FacetCount extends Pick<Tables['view_facets'], 'value' | 'count' | 'seconds'> {
  facet: Facet
}

/** One page, or all pages of an account. */
export type Whose = { page_id: string } | { account_id: string }
