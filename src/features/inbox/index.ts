export { createInbox, type Inbox } from './inbox.ts'
export { inboxOperations } from './operations.ts'
