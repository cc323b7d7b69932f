export type { CommentAuthor, Event, EventKind, EventListener, RecordEvent } from './events.ts'
export { createEvents, type Events } from './events.ts'
export { authorWords, commentExcerpt, nameOf, type Subscription } from './mail.ts'
export { createOwnerMails, type OwnerMails } from './owner-mails.ts'
