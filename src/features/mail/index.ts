export { composeMail, type Mail } from './compose.ts'
export { createMailLists, type MailLists } from './mail-lists.ts'
export { createOutbox, type Outbox, type OutboxDeps, type PutOptions } from './outbox.ts'
export { excerpt, ownerWords, type PageOwner, quoted, quotedName } from './words.ts'
