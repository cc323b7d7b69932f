export { createLinkBatch } from './batch.ts'
export { createLinks, type Links } from './links.ts'
export { type LinkRow, linkCounts, recordBounce } from './store.ts'
