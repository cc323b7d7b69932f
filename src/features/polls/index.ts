export { pollConversation } from './conversation.ts'
export { pollOperations, pollVisitorOperations } from './operations.ts'
export { createPolls, type Polls } from './polls.ts'
