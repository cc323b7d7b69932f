import type { Errors } from './meaning.ts'

/** Errors of what visitors do in the panel of conversations, which is our own page. */
export const CONVERSATION_ERRORS = {
  wrong_code: {
    kind: 'invalid',
    meaning: 'The code is wrong, used or too old, or another browser asked for it.',
    cure: 'Type the code of the newest mail, in the browser that asked for it.',
  },
  codes_off: {
    kind: 'rate_limited',
    meaning: 'Too many wrong codes came in, so codes are off for now.',
    cure: 'Open the link of the mail, which still works.',
  },
  account_address: {
    kind: 'conflict',
    meaning: 'The page asks its visitors to sign in, so the address of their account counts.',
    cure: 'Sign in with the account of the other address.',
  },
  name_reserved: {
    kind: 'invalid',
    meaning:
      'The name looks like that of the page’s owner or of the service, or like an email address, ' +
      'and could be taken for it.',
    cure: 'Give another name, or none. What was written is kept in the panel.',
  },
} as const satisfies Errors

/** Errors of a visitor's response. `Service.submit` rejects with an error of this `code`. */
export const RESPONSE_ERRORS = {
  closed: {
    kind: 'conflict',
    meaning: 'The page no longer accepts responses, because `responses_closed_at` has passed.',
    cure: 'The owner can reopen it by setting `responses_closed_at` to null.',
  },
  full: {
    kind: 'conflict',
    meaning: 'The page has as many responses as the plan allows, and accepts only changes of them.',
    cure: 'The owner can delete responses, or change to a larger plan.',
  },
  too_large: {
    kind: 'too_large',
    meaning: 'The response is larger than 256 KB.',
    cure: 'Send a smaller response, without files in it.',
  },
  invalid_data: {
    kind: 'invalid',
    meaning: 'The response is not an object of JSON values.',
    cure: 'Submit a plain object without functions, cycles or binary data.',
  },
  stale: {
    kind: 'forbidden',
    meaning: 'The page was opened too long ago, or its access has changed since.',
    cure: 'Reload the page and send the response again.',
  },
  not_collecting: {
    kind: 'conflict',
    meaning: 'The published page has no `<form data-service>` and no `Service.submit(…)`.',
    cure: 'Publish a page that has one of them.',
  },
  not_published: {
    kind: 'not_found',
    meaning: 'The page is no longer published.',
    cure: 'The owner can publish it again.',
  },
  expired: {
    kind: 'not_found',
    meaning: 'The link has expired.',
    cure: 'The owner can set a later `expires_at`, or null.',
  },
  view_limit: {
    kind: 'not_found',
    meaning: 'The link is closed, because the page has reached its view limit.',
    cure: 'The owner can raise `max_views`, or set it to null.',
  },
  gone: {
    kind: 'not_found',
    meaning: 'The page was deleted.',
    cure: 'Nothing can be sent to it.',
  },
  spam: {
    kind: 'invalid',
    meaning: 'A field that people cannot see was filled in.',
    cure: 'Reload the page and send the response again, with its hidden fields unchanged.',
  },
} as const satisfies Errors

/** Errors of a vote. The panel beside the page shows them; the API returns none. */
export const POLL_ERRORS = {
  poll_off: {
    kind: 'not_found',
    meaning: 'The page has no poll, or its owner has switched the poll off.',
    cure: 'The owner can set `collect_votes` to true: the votes were kept.',
  },
  poll_closed: {
    kind: 'conflict',
    meaning: 'Voting has ended, because `poll_closes_at` has passed.',
    cure: 'The owner can set a later `poll_closes_at`, or null.',
  },
  poll_changed: {
    kind: 'conflict',
    meaning: 'The owner has changed whether votes are named since the voter opened the poll.',
    cure: 'Read the poll again, and vote again if that is acceptable.',
  },
  poll_full: {
    kind: 'conflict',
    meaning: 'The poll has as many votes as it can hold, and accepts only changes of them.',
    cure: 'The owner can end the poll, or continue on another page.',
  },
  unknown_option: {
    kind: 'conflict',
    meaning: 'The poll does not have this option, or no longer.',
    cure: 'Read the poll again and choose one of its options.',
  },
  email_not_confirmed: {
    kind: 'forbidden',
    meaning: 'The poll counts one vote for each confirmed email address, and there is none.',
    cure: 'Confirm an address in the panel, and vote again.',
  },
} as const satisfies Errors

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

/** Errors of asking for approvals, and of approvers' decisions. */
export const APPROVAL_ERRORS = {
  approvals_off: {
    kind: 'conflict',
    meaning: 'The page collects no approvals.',
    cure: 'The owner can set `collect_approvals` and `approver_emails`.',
  },
  nothing_published: {
    kind: 'conflict',
    meaning:
      'The page is not published, so there is nothing to approve, to compare with or to invite to.',
    cure: 'Publish the page first; a comparison can name a version instead.',
  },
  record_not_found: {
    kind: 'not_found',
    meaning: 'No such record was imported with the page.',
    cure: 'Take the id from `imported_records` of the page’s approvals.',
  },
} as const satisfies Errors

/** Errors of the panel, in which approvers decide. */
export const DECISION_ERRORS = {
  not_an_approver: {
    kind: 'forbidden',
    meaning: 'The address is not among the page’s approvers.',
    cure: 'The owner can add it to `approver_emails`.',
  },
  page_changed: {
    kind: 'conflict',
    meaning: 'Other content was published since the viewer opened the page.',
    cure: 'Reload the page, and decide about what it shows then.',
  },
  email_missing: {
    kind: 'invalid',
    meaning: 'The viewer has not confirmed an address, and gave none.',
    cure: 'Give the address at which the owner asked.',
  },
  too_many_decisions: {
    kind: 'conflict',
    meaning: 'The approver has decided as often as a page keeps of each approver.',
    cure: 'Tell the owner in another way.',
  },
} as const satisfies Errors
