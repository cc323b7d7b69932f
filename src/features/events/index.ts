export type { Event, EventKind, EventListener, RecordEvent } from './event.ts'
export { createEvents, type Events } from './events.ts'
export { excerptOf, nameOf, type Subscription } from './mail.ts'
export { createOwnerMails, type OwnerMails } from './owner-mails.ts'
