export { composeMail, type Mail } from './compose.ts'
export { createOutbox, type Outbox, type OutboxDeps, type PutOptions } from './outbox.ts'
