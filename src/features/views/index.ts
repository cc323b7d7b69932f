export { type Counter, createViews, type Views } from './views.ts'
