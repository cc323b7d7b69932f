export { createAddressing } from './change-comments.ts'
export { type CommenterMails, createCommenterMails } from './commenter-mails.ts'
export { type CommentDeps, type Comments, commentConversation, createComments } from './comments.ts'
export { commentsOf, type GivenComment, importComments } from './import-comments.ts'
