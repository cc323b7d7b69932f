export {
  type CodeGuard,
  createCodeGuard,
  createMailBudget,
  createPasswordGuard,
  type MailBudget,
  type MailRequest,
  type PasswordGuard,
  type PasswordTry,
} from './guards.ts'
export { LIMITS } from './limits.ts'
export {
  type Allowance,
  createThrottles,
  rateLimited,
  type Throttles,
} from './throttles.ts'
