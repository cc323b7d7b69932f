export {
  type Access,
  APPROVE_REQUEST,
  createAccess,
  DENY_REQUEST,
  OPEN_PAGE,
  requestIn,
} from './access.ts'
export { accessOperations } from './operations.ts'
export {
  type Decision,
  decide,
  type Gate,
  type Notice,
  openingEmail,
  type Question,
  type Visit,
} from './rules.ts'
