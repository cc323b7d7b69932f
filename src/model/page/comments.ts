import { z } from 'zod'

export const commentFields = {
  allow_comments: z.boolean().describe('Viewers can write comments. Stored; coming.'),
  comments_require_email: z
    .boolean()
    .describe('Viewers must confirm an email address before they comment.'),
}

export const commentDefaults = { allow_comments: false, comments_require_email: false }
