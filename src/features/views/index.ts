export { FACETS, type Facet, type FacetCount, type Fact } from './facets.ts'
export { confirmedOf, facetsOf, importConfirmed, importFacets } from './import-facets.ts'
export { isLimitReached, OTHER, type Span, viewCount, type Whose } from './store.ts'
export { type Counter, createViews, type HourRow, type Viewer, type Views } from './views.ts'
