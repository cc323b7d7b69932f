export type { Live } from './published.ts'
export { pageOperations } from './operations.ts'
export { createPages, type Pages } from './pages.ts'
export { changedSince } from './records.ts'
