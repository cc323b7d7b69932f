export { composeMail, type Mail } from './compose.ts'
export {
  createOutbox,
  type Outbox,
  type OutboxDeps as OutboxMachines,
  type PutOptions,
} from './outbox.ts'
