export { createInbox, type Inbox } from './inbox.ts'
