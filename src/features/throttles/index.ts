export {
  createCodeGuard,
  createMailBudget,
  createPasswordGuard,
  type MailBudget,
} from './guards.ts'
export { apiLimitOf, LIMITS } from './limits.ts'
export { type Allowance, createThrottles, rateLimited, type Throttles } from './throttles.ts'
