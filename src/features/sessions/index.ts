export { noAccountMail, signInMail } from './mail.ts'
export {
  browserName,
  createSessions,
  type Session,
  type SessionHolder,
  type Sessions,
  type SignInBrowser,
} from './sessions.ts'
