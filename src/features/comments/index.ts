export { createAddressing } from './change-comments.ts'
export { type CommenterMails, createCommenterMails } from './commenter-mails.ts'
export { type CommentDeps, type Comments, commentConversation, createComments } from './comments.ts'
export { commentRow, commentsOf, importComments } from './import-comments.ts'
