import { z } from 'zod'

export const commentFields = {
  allow_comments: z.boolean().describe('Viewers can comment, and see the thread.'),
  comments_require_email: z.boolean().describe('Commenters confirm an email address first.'),
}

export const commentDefaults = { allow_comments: false, comments_require_email: false }
