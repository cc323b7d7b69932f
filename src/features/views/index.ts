export type { Facet, FacetCount, Fact, Whose } from './facets.ts'
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
export { findMiscounted, isLimitReached, OTHER, viewCount } from './store.ts'
export {
  type Counter,
  createViews,
  type Views,
} from './views.ts'
export { hourOf, type Viewer } from './waiting-views.ts'
