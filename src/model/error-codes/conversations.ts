import { as, type Errors } from './meaning.ts'

const conflict = as('conflict')
const forbidden = as('forbidden')
const invalid = as('invalid')
const notFound = as('not_found')
const rateLimited = as('rate_limited')
const tooLarge = as('too_large')

/** Errors of what visitors do in the panel of conversations, which is our own page. */
export const CONVERSATION_ERRORS = {
  wrong_code: invalid(
    'The code is wrong, used or too old, or another browser asked for it.',
    'Type the code of the newest mail, in the browser that asked for it.',
  ),
  codes_off: rateLimited(
    'Too many wrong codes came in, so codes are off for now.',
    'Open the link of the mail, which still works.',
  ),
  account_address: conflict(
    'The page asks its visitors to sign in, so the address of their account counts.',
    'Sign in with the account of the other address.',
  ),
  name_reserved: invalid(
    'The name looks like that of the page’s owner or of the service, or like an email address, ' +
      'and could be taken for it.',
    'Give another name, or none. What was written is kept in the panel.',
  ),
} as const satisfies Errors

/** Errors of a visitor's response. `Service.submit` rejects with an error of this `code`. */
export const RESPONSE_ERRORS = {
  closed: conflict(
    'The page no longer accepts responses, because `responses_closed_at` has passed.',
    'The owner can reopen it by setting `responses_closed_at` to null.',
  ),
  full: conflict(
    'The page has as many responses as the plan allows, and accepts only changes of them.',
    'The owner can delete responses, or change to a larger plan.',
  ),
  too_large: tooLarge(
    'The response is larger than 256 KB.',
    'Send a smaller response, without files in it.',
  ),
  invalid_data: invalid(
    'The response is not an object of JSON values.',
    'Submit a plain object without functions, cycles or binary data.',
  ),
  stale: forbidden(
    'The page was opened too long ago, or its access has changed since.',
    'Reload the page and send the response again.',
  ),
  not_collecting: conflict(
    'The published page has no `<form data-service>` and no `Service.submit(…)`.',
    'Publish a page that has one of them.',
  ),
  not_published: notFound('The page is no longer published.', 'The owner can publish it again.'),
  expired: notFound('The link has expired.', 'The owner can set a later `expires_at`, or null.'),
  view_limit: notFound(
    'The link is closed, because the page has reached its view limit.',
    'The owner can raise `max_views`, or set it to null.',
  ),
  gone: notFound('The page was deleted.', 'Nothing can be sent to it.'),
  spam: invalid(
    'A field that people cannot see was filled in.',
    'Reload the page and send the response again, with its hidden fields unchanged.',
  ),
} as const satisfies Errors

/** Errors of a vote. The panel beside the page shows them; the API returns none. */
export const POLL_ERRORS = {
  poll_off: notFound(
    'The page has no poll, or its owner has switched the poll off.',
    'The owner can set `collect_votes` to true: the votes were kept.',
  ),
  poll_closed: conflict(
    'Voting has ended, because `poll_closes_at` has passed.',
    'The owner can set a later `poll_closes_at`, or null.',
  ),
  poll_changed: conflict(
    'The owner has changed whether votes are named since the voter opened the poll.',
    'Read the poll again, and vote again if that is acceptable.',
  ),
  poll_full: conflict(
    'The poll has as many votes as it can hold, and accepts only changes of them.',
    'The owner can end the poll, or continue on another page.',
  ),
  unknown_option: conflict(
    'The poll does not have this option, or no longer.',
    'Read the poll again and choose one of its options.',
  ),
  email_not_confirmed: forbidden(
    'The poll counts one vote for each confirmed email address, and there is none.',
    'Confirm an address in the panel, and vote again.',
  ),
} as const satisfies Errors

/** Errors of comments, of their API and of the panel that viewers write them in. */
export const COMMENT_ERRORS = {
  comments_off: conflict(
    'The page takes no comments, because `allow_comments` is off.',
    'The owner can set `allow_comments`. Comments that were written are kept.',
  ),
  comment_not_found: notFound(
    'The page has no such comment.',
    'Take the id from the list of comments. It may have been deleted.',
  ),
  comment_is_reply: invalid(
    'The comment is a reply, which cannot be replied to, and has no state of its own.',
    'Name the comment that it replies to.',
  ),
  not_your_comment: forbidden(
    'The comment was written by a viewer. Its text is theirs.',
    'Hide or delete it, or reply to it.',
  ),
  comments_full: conflict(
    'The page has as many comments, or the comment as many replies, as it can hold.',
    'The owner can delete comments that are no longer needed.',
  ),
  bad_anchor: invalid(
    'The anchor is none that this file can have, or names a file that the page lacks.',
    'Send words for HTML, a sheet’s spot for a PDF, a spot for an image; or omit it.',
  ),
  email_required: forbidden(
    'The page takes comments from confirmed email addresses only.',
    'Confirm an address by the link that is mailed to it, and send the comment again.',
  ),
  comment_empty: invalid('The comment has no visible text.', 'Write something.'),
  comment_too_long: invalid(
    'The comment has more than 5,000 characters, or its name more than 80.',
    'Send less text, or several comments.',
  ),
  edit_time_over: conflict(
    'The comment is older than 15 minutes, so its author can no longer change it.',
    'Reply to it, or ask the owner of the page to hide it.',
  ),
} as const satisfies Errors

/** Errors of asking for approvals, and of approvers' decisions. */
export const APPROVAL_ERRORS = {
  approvals_off: conflict(
    'The page collects no approvals.',
    'The owner can set `collect_approvals` and `approver_emails`.',
  ),
  nothing_published: conflict(
    'The page is not published, so there is nothing to approve, to compare with or to invite to.',
    'Publish the page first; a comparison can name a version instead.',
  ),
  record_not_found: notFound(
    'No such record was imported with the page.',
    'Take the id from `imported_records` of the page’s approvals.',
  ),
} as const satisfies Errors

/** Errors of the panel, in which approvers decide. */
export const DECISION_ERRORS = {
  not_an_approver: forbidden(
    'The address is not among the page’s approvers.',
    'The owner can add it to `approver_emails`.',
  ),
  page_changed: conflict(
    'Other content was published since the viewer opened the page.',
    'Reload the page, and decide about what it shows then.',
  ),
  email_missing: invalid(
    'The viewer has not confirmed an address, and gave none.',
    'Give the address at which the owner asked.',
  ),
  too_many_decisions: conflict(
    'The approver has decided as often as a page keeps of each approver.',
    'Tell the owner in another way.',
  ),
} as const satisfies Errors
