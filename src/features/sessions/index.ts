export { noAccountMail, signInMail } from './mail.ts'
export {
  createSessions,
  SESSION_S,
  type Session,
  type SessionHolder,
  type Sessions,
} from './sessions.ts'
