export {
  brandOf,
  composeMail,
  excerpt,
  fromOwner,
  linksTo,
  type Mail,
  ownerLabel,
  ownerWords,
  type PageMail,
  type PageOwner,
  pageName,
  publicName,
  quoted,
  quotedName,
  timeWords,
} from './compose.ts'
export { createMailLists, type MailLists, mailOperations } from './mail-lists.ts'
export { createOutbox, type Outbox, type OutboxDeps, type Reach, sendMany } from './outbox.ts'
