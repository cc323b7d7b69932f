export { browserName } from './browser-name.ts'
export { noAccountMail, signInMail } from './mail.ts'
export {
  createSessions,
  type Session,
  type SessionHolder,
  type Sessions,
  type SignInBrowser,
} from './sessions.ts'
