export {
  brandOf,
  composeMail,
  excerpt,
  fromOwner,
  type Mail,
  ownerLabel,
  ownerWords,
  type PageMail,
  type PageOwner,
  pageName,
  personalMail,
  publicName,
  quoted,
  quotedName,
  theyWrite,
  timeWords,
} from './compose.ts'
export { createMailLists, type MailLists, mailOperations } from './mail-lists.ts'
export { createOutbox, type Outbox, type OutboxDeps, type Reach, sendMany } from './outbox.ts'
