export { type Access, accessOperations, createAccess, OPEN_PAGE } from './access.ts'
export { HANDED_LINK, MAILED_LINK, purposeIn } from './personal-links.ts'
export {
  APPROVE_REQUEST,
  accessRequestRow,
  accessRequestsOf,
  DENY_REQUEST,
  importAccessRequests,
  type OpenRequest,
  REVIEW_REQUESTS,
  type RequestDecision,
  requestIn,
} from './requests.ts'
export {
  admittedEmail,
  type Closed,
  type Decision,
  decide,
  type Gate,
  type Notice,
  open,
  type Question,
  type VisitorFacts,
} from './rules.ts'
