export {
  type Access,
  type AccessDeps,
  APPROVE_REQUEST,
  createAccess,
  DENY_REQUEST,
  OPEN_PAGE,
  requestIn,
} from './access.ts'
export { accessOperations } from './operations.ts'
export {
  admittedEmail,
  type Decision,
  decide,
  type Gate,
  type Notice,
  type Question,
  type VisitorFacts,
} from './rules.ts'
