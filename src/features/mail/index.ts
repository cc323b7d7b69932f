export { composeMail, type Mail, type MailWords } from './compose.ts'
export { createOutbox, type Outbox, type OutboxMachines } from './outbox.ts'
