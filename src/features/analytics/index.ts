export { type Analytics, analyticsOperations, createAnalytics } from './analytics.ts'
export type { OpenView, TimedPart } from './measuring.ts'
export { readUserAgent } from './user-agent.ts'
