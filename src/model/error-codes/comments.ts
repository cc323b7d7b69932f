import type { Errors } from './meaning.ts'

/** Errors of comments, of their API and of the panel that viewers write them in. */
export const COMMENT_ERRORS = {
  comments_off: {
    kind: 'conflict',
    meaning: 'The page takes no comments, because `allow_comments` is off.',
    cure: 'The owner can set `allow_comments`. Comments that were written are kept.',
  },
  comment_not_found: {
    kind: 'not_found',
    meaning: 'The page has no such comment.',
    cure: 'Take the id from the list of comments. It may have been deleted.',
  },
  comment_is_reply: {
    kind: 'invalid',
    meaning: 'The comment is a reply, which cannot be replied to, and has no state of its own.',
    cure: 'Name the comment that it replies to.',
  },
  not_your_comment: {
    kind: 'forbidden',
    meaning: 'The comment was written by a viewer. Its text is theirs.',
    cure: 'Hide or delete it, or reply to it.',
  },
  comments_full: {
    kind: 'conflict',
    meaning: 'The page has as many comments, or the comment as many replies, as it can hold.',
    cure: 'The owner can delete comments that are no longer needed.',
  },
  bad_anchor: {
    kind: 'invalid',
    meaning: 'The anchor is none that this file can have, or names a file that the page lacks.',
    cure: 'Send words for HTML, a sheet’s spot for a PDF, a spot for an image; or omit it.',
  },
  email_required: {
    kind: 'forbidden',
    meaning: 'The page takes comments from confirmed email addresses only.',
    cure: 'Confirm an address by the link that is mailed to it, and send the comment again.',
  },
  comment_empty: {
    kind: 'invalid',
    meaning: 'The comment has no visible text.',
    cure: 'Write something.',
  },
  comment_too_long: {
    kind: 'invalid',
    meaning: 'The comment has more than 5,000 characters, or its name more than 80.',
    cure: 'Send less text, or several comments.',
  },
  edit_time_over: {
    kind: 'conflict',
    meaning: 'The comment is older than 15 minutes, so its author can no longer change it.',
    cure: 'Reply to it, or ask the owner of the page to hide it.',
  },
} as const satisfies Errors
