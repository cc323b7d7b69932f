export { type CodeGuard, createCodeGuard } from './code-guard.ts'
export { LIMITS } from './limits.ts'
export { createMailBudget, type MailBudget, type MailRequest } from './mail-budget.ts'
export { createPasswordGuard, type PasswordGuard, type PasswordTry } from './password-guard.ts'
export {
  type Allowance,
  createThrottles,
  rateLimited,
  type Throttles,
} from './throttles.ts'
