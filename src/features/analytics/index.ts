export { type Analytics, createAnalytics } from './analytics.ts'
export type { OpenView, TimedPart } from './measuring.ts'
export { readUserAgent } from './user-agent.ts'
