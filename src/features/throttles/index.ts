export { LIMITS } from './limits.ts'
export {
  type Allowance,
  createThrottles,
  type Limit,
  rateLimited,
  type Throttles,
} from './throttles.ts'
