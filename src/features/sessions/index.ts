export {
  createSessions,
  SESSION_S,
  type Session,
  type SessionHolder,
  type Sessions,
} from './sessions.ts'
