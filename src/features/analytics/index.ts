export { type Analytics, createAnalytics } from './analytics.ts'
export type { OpenView, TimedPart } from './measuring.ts'
export { analyticsOperations } from './operations.ts'
export { readUserAgent } from './user-agent.ts'
