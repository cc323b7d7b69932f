export { LIMITS } from './limits.ts'
export {
  createThrottles,
  type Limit,
  rateLimited,
  type Taken,
  type Throttles,
} from './throttles.ts'
