export type { Facet, FacetCount } from './facets.ts'
export { isLimitReached, OTHER, type Span, viewCount, type Whose } from './store.ts'
export { type Counter, createViews, type HourRow, type Viewer, type Views } from './views.ts'
