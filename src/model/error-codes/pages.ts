import { type Errors, of } from './meaning.ts'

const { conflict, forbidden, invalid, notFound, planRequired } = of
const { precondition, rateLimited, tooLarge, unprocessable } = of

/** Errors of every operation that sets a page's settings. */
export const SETTINGS_ERRORS = {
  plan_required: planRequired(
    'The plan of the account does not include this setting, or this report.',
    'Omit `param`, or send what the message names; or ask the operator of the server for a ' +
      'larger plan. On your own server, `handbill account plan EMAIL pro` sets it.',
  ),
  contradictory_settings: invalid(
    'The settings are valid one by one, but not together; or a new page has a password that ' +
      'its access would not ask for.',
    'Send the setting that the message names in the same request.',
  ),
  duplicate_title: conflict(
    'Another page of the account has this title.',
    'Choose another title, omit it to get a free one, or update the other page.',
  ),
  slug_taken: conflict(
    'Another page of this server has this slug, or another account gave it up within a year.',
    'Choose another slug, or omit it to get a free one.',
  ),
} as const satisfies Errors

/** Errors about a page and what belongs to it. */
export const PAGE_ERRORS = {
  page_not_found: notFound(
    'This account has no such page. Pages of other accounts give the same error.',
    'Take the id from the list of pages, and check the account of the API key.',
  ),
  in_trash: conflict(
    'The page is in the trash, where it can be read and not changed. Nothing was written.',
    'Take it back first: `DELETE /pages/{id}/trash`, `handbill rm --undo PAGE`, or in the app.',
  ),
  idempotency_key_reused: conflict(
    'The `Idempotency-Key` was used with another body within the last 24 hours.',
    'Use a new key for a new request, and the same key only for a retry with the same body.',
  ),
  conflict: conflict(
    'Another request changed the draft at the same time. Nothing was written.',
    'Read the page again, and repeat the change on its current content.',
  ),
  precondition_failed: precondition(
    'The page has changed since it had the `ETag` in `If-Match`.',
    'Read the page again, check what has changed, and send its new `ETag`.',
  ),
  wrong_kind: invalid(
    'The content has another kind than the page: single page, deck or file.',
    'Send the kind of content that the message names, or create another page.',
  ),
  not_html: invalid(
    'The page is a PDF or an image, so it has no HTML.',
    'Replace its file with `file_base64`, `file_url` or `file_upload`.',
  ),
  version_not_found: notFound(
    'The page has no version with this number.',
    'Take the number from the list of versions. Old unnamed versions are deleted.',
  ),
  path_not_found: notFound(
    'The content has no file with this path.',
    'Take the path from `files` or `assets` of the content; a single page is `index.html`.',
  ),
  request_not_found: notFound(
    'The page has no such access request.',
    'Take the id from the list of access requests.',
  ),
  too_many_invitees: conflict(
    'The page has the maximum number of invited addresses.',
    'Remove an address from `allowed_emails`, and approve again.',
  ),
  nobody_invited: conflict(
    'The page has no invited addresses that could be mailed.',
    'Put addresses into `allowed_emails` first.',
  ),
  not_admitted: conflict(
    'The page’s access does not let this address in.',
    'Change `access` or its lists first: a link would open nothing.',
  ),
  response_not_found: notFound(
    'The page has no such response.',
    'Take the id from the list of responses. It may have been deleted.',
  ),
  unknown_explode_key: invalid(
    'The responses have no field with this name that is a list of objects.',
    'Use one of the names in `explodable`, or `none`.',
  ),
} as const satisfies Errors

/** Errors of every operation that accepts content. */
export const CONTENT_ERRORS = {
  content_source: invalid(
    'The request has no content, several contents, or a member that belongs to none.',
    'Send exactly one content source, and only the members that belong to it.',
  ),
  empty_html: invalid('The HTML is empty, or only white space.', 'Send a complete HTML document.'),
  invalid_markdown: invalid('Markdown is nested too deep, or takes long.', 'Simplify it.'),
  invalid_html: invalid('The bytes are a PDF or an image, not HTML.', 'Send them as a file.'),
  elided_html: invalid(
    'The HTML contains `ELIDED-BY-SERVICE` placeholders, which stand for omitted data.',
    'Read the page with `full=true` before replacing it, or edit it in place.',
  ),
  invalid_base64: invalid(
    'The text is not standard base64, or is incomplete.',
    'Encode the bytes with `+`, `/` and padding, without a `data:` prefix.',
  ),
  invalid_html_base64: invalid(
    'The base64 is valid, but its bytes are empty or not UTF-8.',
    'Encode the HTML as UTF-8, and then the bytes as base64.',
  ),
  sha256_mismatch: unprocessable(
    'The SHA-256 of the received bytes is not `sha256`.',
    'Send the content again; if it is cut short every time, use an upload.',
  ),
  content_too_large: tooLarge(
    'The content is larger than the plan of the account allows.',
    'Send at most `limit` bytes: shrink images, or move them out of the HTML.',
  ),
  quota_reached: tooLarge(
    'The account has as much stored, or as many uploads waiting, as its plan allows: `quota` ' +
      'says of what, `used` and `limit` how much.',
    'Delete pages that you no longer need, publish what you uploaded, or get a larger plan.',
  ),
  invalid_url: invalid(
    'The text is not a complete https URL.',
    'Give an `https://` URL without a user name or password.',
  ),
  fetch_failed: invalid(
    'The server could not fetch the URL, or must not.',
    'Give a public https URL that answers within 10 seconds, or send the content itself.',
  ),
  upload_not_found: invalid(
    'There is no such upload in this account, or its 24 hours are over.',
    'Upload the bytes again, and use the new id.',
  ),
  bad_filename: invalid(
    'The filename is empty or has only dots.',
    'Give a name such as `report.pdf`.',
  ),
  unsupported_file_type: invalid(
    'A page of one file is a PDF, PNG, JPG, WebP or GIF, and its name says the type of its bytes.',
    'Publish a file of another type as a deck: a page in `files` that links to it, and the file ' +
      'in `assets`. The command line and the app do that by themselves.',
  ),
  truncated_image: invalid(
    'The bytes of the image end before the image does.',
    'Send the whole file again; if it is cut short every time, use an upload.',
  ),
  empty_deck: invalid('The deck has no HTML file.', 'Send at least one file in `files`.'),
  invalid_zip: invalid(
    'The uploaded zip is cut off or damaged, or a path in it leads out of it.',
    'Make the zip again, and upload it whole.',
  ),
  too_many_files: invalid(
    'The deck has more HTML files or assets than a deck may have on the plan.',
    'Send at most `limit` of them.',
  ),
  bad_path: invalid(
    'A path of the deck is not allowed.',
    'Use relative paths with `/`, without `..`; HTML goes into `files`. `problems` lists all ' +
      'files of the deck that have to change, if there are several.',
  ),
  duplicate_path: invalid(
    'Two files of the deck have the same path.',
    'Give every file a path of its own.',
  ),
  bad_entry: invalid(
    '`entry` is not the path of an HTML file of the deck.',
    'Give one of the paths in `files`, or omit `entry`.',
  ),
  bad_fallback: invalid(
    '`fallback` is not the path of an HTML file of the page.',
    'Give the path of one of the HTML files, mostly `index.html`, or null.',
  ),
} as const satisfies Errors

/** Errors of find-and-replace edits. */
export const EDIT_ERRORS = {
  file_not_found: invalid(
    'The draft has no file with this path to edit or to keep.',
    'Read the list of the page’s files, which has the paths of all.',
  ),
  invalid_edit: invalid(
    'The text of an edit is not valid Unicode.',
    'Correct the text of the edit with the index `edit_index`.',
  ),
  elided_edit: unprocessable(
    'An edit would write an `ELIDED-BY-SERVICE` placeholder into the page.',
    'Leave the placeholder out of `replace`: edit only the text around the omitted data.',
  ),
  edit_not_found: unprocessable(
    'The page does not contain the `find` of an edit after the edits before it.',
    'Read the HTML again and copy the text exactly, with its spaces and line breaks.',
  ),
  edit_ambiguous: unprocessable(
    'The page contains the `find` of an edit more than once.',
    'Make `find` longer until it occurs once, or set `replace_all`.',
  ),
  too_many_matches: unprocessable(
    'An edit with `replace_all` has more than 1,000 matches.',
    'Make `find` longer, or replace the whole HTML.',
  ),
  too_many_edits: unprocessable(
    'The request has more edits than are allowed for a page of this size.',
    'Send at most `max_edits` edits in a request, and the rest in another.',
  ),
  edit_empties_page: unprocessable(
    'The edits would leave the page empty.',
    'Leave some text in the page, or delete the page.',
  ),
  html_too_large: tooLarge(
    'The edits would make the HTML larger than the plan of the account allows.',
    'Insert less: the result may have at most `limit` bytes.',
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
  link_closed: notFound(
    'The link for one person that opened the page was switched off, or its time or number is over.',
    'Ask the owner for another link.',
  ),
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

/** Errors of what viewers and approvers do beside a page. */
export const CONVERSATION_ERRORS = {
  // Errors of asking for approvals, and of approvers' decisions.
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

  // Errors of what visitors do in the panel of conversations, which is our own page.
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

  // Errors of a vote. The panel beside the page shows them; the API returns none.
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

  // Errors of the panel, in which approvers decide.
  not_an_approver: forbidden(
    'The address is not among the page’s approvers.',
    'The owner can add it to `approver_emails`.',
  ),
  page_changed: conflict(
    'Other content was published since the viewer opened the page.',
    'Reload the page, and decide about what it shows then.',
  ),
  too_many_decisions: conflict(
    'The approver has decided as often as a page keeps of each approver.',
    'Tell the owner in another way.',
  ),
  link_not_found: notFound(
    'The page has no such link for one person: it was deleted, or belongs to another page.',
    'Take the id from the list of the page’s links.',
  ),
  too_many_links: conflict(
    'The page has 1,000 links for one person each, or the account 20,000: the most they can have.',
    'Delete links that are no longer used.',
  ),

  // Errors of comments, of their API and of the panel that viewers write them in.
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
