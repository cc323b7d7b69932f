export {
  apiLimitOf,
  createCodeGuard,
  createMailBudget,
  createPasswordGuard,
  LIMITS,
  type MailBudget,
} from './guards.ts'
export { type Allowance, createThrottles, rateLimited, type Throttles } from './throttles.ts'
