export { composeMail, type Mail } from './compose.ts'
export { createOutbox, type Outbox, type OutboxMachines, type PutOptions } from './outbox.ts'
