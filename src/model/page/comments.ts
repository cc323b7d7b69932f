import { z } from 'zod'

export const commentFields = {
  allow_comments: z.boolean().describe('Viewers can comment; all who can open the page see it.'),
  comments_require_email: z
    .boolean()
    .describe('Viewers confirm an email address before they comment.'),
  notify_on_comment: z.boolean().describe('Mails the owner each new comment and reply.'),
}

export const commentDefaults = {
  allow_comments: false,
  comments_require_email: false,
  notify_on_comment: true,
}
