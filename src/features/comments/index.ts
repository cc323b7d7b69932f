export { createAddressing } from './change-comments.ts'
export { type CommenterMails, createCommenterMails } from './commenter-mails.ts'
export {
  type CommentDeps,
  type Comments,
  commentConversation,
  commentOperations,
  commentVisitorOperations,
  createComments,
} from './comments.ts'
export { commentRow, commentsOf, importComments } from './import-comments.ts'
export { countByAddress as countComments } from './store.ts'
