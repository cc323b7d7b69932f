export { pageOperations } from './operations.ts'
export { createPages, type Pages } from './pages.ts'
export { isPreviewToken } from './previews.ts'
export type { PublishedPage } from './published.ts'
