export { isLimitReached, viewCount } from './store.ts'
export { type Counter, createViews, type Views } from './views.ts'
