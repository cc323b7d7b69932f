import { as, type Errors } from './meaning.ts'

const conflict = as('conflict')
const invalid = as('invalid')
const notFound = as('not_found')
const planRequired = as('plan_required')
const precondition = as('precondition')
const tooLarge = as('too_large')
const unprocessable = as('unprocessable')

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
  invalid_html: invalid(
    'The fetched or uploaded bytes are a PDF or an image, not HTML.',
    'Send them as a file: `file_url` or `file_upload`.',
  ),
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
    'Give a public https URL that answers within 30 seconds, or send the content itself.',
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
    'A page of one file is a PDF, PNG, JPG, WebP or GIF, and its name must not say another type ' +
      'than its bytes. HTML is no asset.',
    'Publish a file of any other type as a deck: a page in `files` that links to it, and the ' +
      'file in `assets`.',
  ),
  truncated_image: invalid(
    'The bytes of the image end before the image does.',
    'Send the whole file again; if it is cut short every time, use an upload.',
  ),
  empty_deck: invalid('The deck has no HTML file.', 'Send at least one file in `files`.'),
  too_many_files: invalid(
    'The deck has more HTML files or assets than a deck may have.',
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
