export { FACETS, type Facet, type FacetCount, type Fact } from './facets.ts'
export {
  confirmedOf,
  facetRow,
  facetsOf,
  hourRow,
  importConfirmed,
  importFacets,
  importViews,
  viewerRow,
} from './import-views.ts'
export type { Viewer } from './page-counts.ts'
export { hourOf } from './page-counts.ts'
export type { Span, Whose } from './spans.ts'
export { findMiscounted, isLimitReached, OTHER, viewCount } from './store.ts'
export {
  type Counter,
  createViews,
  type HourRow,
  type Views,
} from './views.ts'
