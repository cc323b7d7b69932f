export { createLinkBatch } from './batch.ts'
export { createLinks, type Links } from './links.ts'
export { linkCounts, recordBounce } from './store.ts'
