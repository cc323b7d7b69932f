export {
  browserName,
  createSessions,
  noAccountMail,
  type Session,
  type SessionHolder,
  type Sessions,
  SIGN_IN,
  type SignInBrowser,
  signInMail,
} from './sessions.ts'
