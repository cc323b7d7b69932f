import { z } from 'zod'
import { anchorInput } from '../../model/anchor.ts'
import { AUTHOR_KINDS, commentFields } from '../../model/comment.ts'
import { MAX_BODY, MAX_PATH } from '../../model/comment-limits.ts'
import { JsonText } from '../../model/json-text.ts'
import { COMMENT_STATES } from '../../model/list-filters.ts'
import { component, contractsOf, limitsOf, visitorContractsOf } from '../../model/operation.ts'
import { nextOffset, paging } from '../../model/paging.ts'
import { plainTextOf } from '../../model/plain-text.ts'
import { timePast } from '../../model/times.ts'

const ownerContract = contractsOf('Comments', 'owner')
const MAX_IDS = 1000
const PLACE_CODES = ['comment_not_found', 'comment_is_reply', 'comments_full'] as const
const TEXT_CODES = ['comment_empty', 'comment_too_long', 'name_reserved'] as const

const commentId = z.string()
const body = plainTextOf(MAX_BODY).describe(`Plain text, at most ${MAX_BODY} characters.`)

const ownersFields = {
  ...commentFields,
  author: z.object({
    kind: z
      .enum(AUTHOR_KINDS)
      .describe('`confirmed`: confirmed an email address. `imported`: did so on another server.'),
    name: z.string().nullable().describe('The name they gave, or an alias; not verified.'),
    email: z.string().nullable().describe('Confirmed, or imported; viewers never see it.'),
  }),
  is_hidden: z.boolean().describe('Viewers do not see it.'),
}
const reply = component('Reply', ownersFields)
export const comment = z
  .object({ ...ownersFields, replies: z.array(reply).describe('Oldest first.') })
  .meta({ id: 'Comment', description: 'A comment, as the page’s owner sees it.' })
export type OwnersComment = z.output<typeof comment>

const commentQuery = z.strictObject({
  state: z
    .enum(COMMENT_STATES)
    .default('all')
    .describe('`open` and `resolved` leave hidden ones out.'),
  since: timePast.optional().describe('Only threads with something newer.'),
  order: z.enum(['oldest', 'newest']).default('oldest').describe('Which thread comes first.'),
  ...paging({ most: 1000, usual: 200 }),
})
export type CommentQuery = z.output<typeof commentQuery>

export const listComments = ownerContract({
  summary: 'List a page’s comments, in the order their threads began.',
  description:
    'With `order=newest`, the thread that began last comes first. Each comment has its replies, ' +
    'and an answer has fewer threads than `limit` where they are large. ' +
    'Comments that viewers no longer see are in it too, and those of a page whose ' +
    '`allow_comments` is off.',
  http: { method: 'GET', path: '/pages/{id}/comments', status: 200 },
  tools: {
    list_comments: {
      omit: ['order'],
      description:
        'Lists what viewers commented, with replies and the passage each is about. Work through ' +
        'state open: change the page and pass the ids as addresses, or answer with ' +
        'reply_comments.',
    },
  },
  input: commentQuery,
  output: z.object({ data: z.array(comment), next_offset: nextOffset }),
  hasStrangersWords: true,
})

export const createComment = ownerContract({
  summary: 'Write a comment as the page’s owner, or reply to one.',
  description: 'Viewers see it at once, marked as the owner’s. It is about the published version.',
  takesConfirmedOnly: true,
  http: { method: 'POST', path: '/pages/{id}/comments', status: 201 },
  input: z.strictObject({
    body,
    parent_id: commentId.nullish().describe('The comment to reply to.'),
    path: z.string().max(MAX_PATH).nullish().describe('Decks: the file; the entry by default.'),
    anchor: anchorInput.nullish().describe('The passage it is about.'),
  }),
  data: comment,
  errors: ['comments_off', ...PLACE_CODES, 'bad_anchor', 'idempotency_key_reused'],
})
export type CreateCommentInput = z.output<typeof createComment.input>

const MAX_REPLIES_AT_ONCE = 100

export const replyToComments = ownerContract({
  summary: 'Reply to several comments at once, as the page’s owner: all or none.',
  description: 'Viewers see the replies at once, and those who commented are mailed.',
  takesConfirmedOnly: true,
  http: { method: 'POST', path: '/pages/{id}/comments/replies', status: 201 },
  tools: {
    reply_comments: {
      description:
        'Answers comments in the owner’s name, all or none: viewers see it, authors are mailed. ' +
        'Say only what the user would. Example: {"page_id": "launch-plan", "reply_comments": ' +
        '[{"comment_id": "cmt_…", "body": "Changed to 16 May."}]}.',
    },
  },
  input: z.strictObject({
    reply_comments: z
      .array(
        z.strictObject({
          comment_id: commentId.optional().describe('Left out: a new thread, about the page.'),
          body,
        }),
      )
      .min(1)
      .max(MAX_REPLIES_AT_ONCE),
  }),
  data: z
    .array(z.object({ id: z.string(), comment_id: z.string().nullable() }))
    .describe('The new replies, in the order they were sent, each with what it answers.'),
  errors: ['comments_off', ...PLACE_CODES, 'idempotency_key_reused'],
})
export type ReplyInput = z.output<typeof replyToComments.input>['reply_comments']

export const updateComment = ownerContract({
  scopes: ['pages:write', 'feedback:read'],
  summary: 'Resolve, reopen, hide or restore a comment; change the text of your own.',
  description:
    'A hidden comment keeps its place only if others replied, and nobody sees what it said.',
  http: { method: 'PATCH', path: '/pages/{id}/comments/{comment_id}', status: 200 },
  input: z.strictObject({
    comment_id: commentId,
    body: body.optional(),
    state: z.enum(['open', 'resolved']).optional(),
    is_hidden: z.boolean().optional(),
  }),
  data: comment,
  errors: ['comment_not_found', 'comment_is_reply', 'not_your_comment'],
})
export type CommentChange = Omit<z.output<typeof updateComment.input>, 'comment_id'>

export const resolveComments = ownerContract({
  summary: 'Resolve or reopen several comments at once: all or none.',
  description:
    'For comments that need no change of the page. Those that a change answers are named in ' +
    '`addresses` of that change.',
  takesConfirmedOnly: true,
  http: { method: 'POST', path: '/pages/{id}/comments/resolve', status: 200 },
  tools: {
    resolve_comments: {
      description:
        'Marks comments as done without a change of the page, or reopens them. Where a change ' +
        'answers them, pass addresses to edit_page, update_page or publish.',
    },
  },
  input: z.strictObject({
    comment_ids: z.array(commentId).min(1).max(MAX_IDS),
    state: z.enum(['open', 'resolved']).default('resolved'),
  }),
  data: z.array(z.object({ id: z.string(), state: commentFields.state })),
  errors: ['comment_not_found', 'comment_is_reply'],
})

export const deleteComment = ownerContract({
  summary: 'Delete a comment for good, with its replies.',
  description: 'To take it away from viewers and keep it, set `is_hidden`.',
  takesConfirmedOnly: true,
  http: { method: 'DELETE', path: '/pages/{id}/comments/{comment_id}', status: 204 },
  input: z.strictObject({ comment_id: commentId }),
  errors: ['comment_not_found'],
})

/** A comment whose characters are all escaped, with the other members of the request. */
const MAX_POST_BYTES = 128 * 1024
const READ_BODY = { maxBytes: MAX_POST_BYTES, tooLarge: 'This is no question about comments.' }
const POST_BODY = { maxBytes: MAX_POST_BYTES, tooLarge: 'This is more than a comment can hold.' }
const readContract = visitorContractsOf('participant', READ_BODY)
const writeContract = visitorContractsOf('participant', POST_BODY)
const WRITE_LIMITS = limitsOf('comment', { address: 60, viewer: 12 })

/** A comment as viewers see it. None of its members contains an email address. */
const viewersFields = {
  ...commentFields,
  author: z.object({ kind: z.enum(AUTHOR_KINDS), name: z.string().nullable() }).nullable(),
  /** Why there is no text: the comment is hidden or deleted, and has replies. */
  placeholder: z.enum(['hidden', 'deleted']).nullable(),
}
const viewersReply = z.object(viewersFields)
export const viewersComment = z.object({ ...viewersFields, replies: z.array(viewersReply) })
export type ViewersReply = z.output<typeof viewersReply>
export type ViewersComment = z.output<typeof viewersComment>

/** A thread that viewers no longer see. */
const goneThread = z.object({ id: z.string(), is_gone: z.literal(true) })
export type GoneThread = z.output<typeof goneThread>

const ownComment = z.object({ id: z.string(), editable_until: z.string() })
export type OwnComment = z.output<typeof ownComment>

const thread = z.object({
  revision: z.int().describe('Pass as known: later answers have only what changed.'),
  is_whole: z.boolean().describe('The threads replace those that the panel has.'),
  threads: z.custom<JsonText>((value) => value instanceof JsonText),
  earlier: z.string().nullable().describe('Pass as before for earlier threads; null: none.'),
  count: z.int().nullable().describe('Open threads that are not hidden; null: unchanged.'),
  own: z.array(ownComment).describe('Those that this viewer may still change.'),
  requires_email: z.boolean().describe('Only confirmed addresses may comment.'),
})
export type ThreadOutput = z.output<typeof thread>
/** The form in which the panel parses it: threads in the order they began. */
export type ParsedThread = Omit<ThreadOutput, 'threads'> & {
  threads: (ViewersComment | GoneThread)[]
}

export const readThread = readContract({
  summary: 'Read the comments on a page, or what changed since the last time.',
  http: { method: 'POST', path: '/~/comments', status: 200, jsonText: true },
  limits: null,
  input: z.strictObject({
    known: z.int().min(0).nullish().describe('The revision that the panel has.'),
    before: commentId.nullish().describe('The first thread that the panel has.'),
  }),
  data: thread,
  errors: ['comments_off'],
})
export type ThreadInput = z.output<typeof readThread.input>

const written = z.object({ comment: viewersReply, editable_until: z.string() })
export type Written = z.output<typeof written>

const sentComment = {
  body: z.string(),
  name: z.string().max(MAX_PATH).nullish().describe('The name to show; not verified.'),
}

export const postComment = writeContract({
  summary: 'Write a comment on a page, or reply to one.',
  http: { method: 'POST', path: '/~/comments/post', status: 201 },
  limits: WRITE_LIMITS,
  input: z.strictObject({
    id: z
      .string()
      .regex(/^[\w-]{8,64}$/, { error: 'must be 8 to 64 letters, digits, - or _' })
      .describe('Made by the browser: a retry with it is no second comment.'),
    ...sentComment,
    parent_id: commentId.nullish(),
    path: z
      .string()
      .max(MAX_PATH)
      .nullish()
      .describe('The deck’s file that it is about; that of the source token if left out.'),
    anchor: anchorInput.nullish(),
  }),
  data: written,
  errors: ['comments_off', 'email_required', ...TEXT_CODES, ...PLACE_CODES, 'bad_anchor', 'gone'],
})

export type PostInput = z.output<typeof postComment.input>

export const editComment = writeContract({
  summary: 'Change the text of one’s own comment, for 15 minutes.',
  http: { method: 'POST', path: '/~/comments/edit', status: 200 },
  limits: WRITE_LIMITS,
  input: z.strictObject({ comment_id: commentId, ...sentComment }),
  data: written,
  errors: ['comments_off', 'comment_not_found', ...TEXT_CODES, 'edit_time_over'],
})

export type EditCommentInput = z.output<typeof editComment.input>

export const withdrawComment = writeContract({
  summary: 'Delete one’s own comment, for 15 minutes.',
  http: { method: 'POST', path: '/~/comments/delete', status: 200 },
  limits: WRITE_LIMITS,
  input: z.strictObject({ comment_id: commentId }),
  data: z.object({ id: z.string() }),
  errors: ['comments_off', 'comment_not_found', 'edit_time_over'],
})
