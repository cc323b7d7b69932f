export {
  browserName,
  createSessions,
  noAccountMail,
  type Session,
  type SessionHolder,
  type Sessions,
  type SignInBrowser,
  signInMail,
} from './sessions.ts'
