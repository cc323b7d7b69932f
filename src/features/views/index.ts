export { FACETS, type Facet, type FacetCount, type Fact } from './facets.ts'
export { confirmedOf, facetsOf, importConfirmed, importFacets } from './import-facets.ts'
export { importViews } from './import-hours.ts'
export type { Span, Whose } from './spans.ts'
export { findMiscounted, isLimitReached, OTHER, viewCount } from './store.ts'
export {
  type Counter,
  createViews,
  type HourRow,
  type Views,
} from './views.ts'
export { hourOf, type Viewer } from './waiting-views.ts'
