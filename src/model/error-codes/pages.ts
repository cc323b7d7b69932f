import type { Errors } from './meaning.ts'

/** Errors of every operation that sets a page's settings. */
export const SETTINGS_ERRORS = {
  plan_required: {
    kind: 'plan_required',
    meaning: 'The plan of the account does not include this setting, or this report.',
    cure:
      'Omit `param`, or send what the message names; or ask the operator of the server for a ' +
      'larger plan. On your own server, `handbill account plan EMAIL pro` sets it.',
  },
  contradictory_settings: {
    kind: 'invalid',
    meaning:
      'The settings are valid one by one, but not together; or a new page has a password that ' +
      'its access would not ask for.',
    cure: 'Send the setting that the message names in the same request.',
  },
  duplicate_title: {
    kind: 'conflict',
    meaning: 'Another page of the account has this title.',
    cure: 'Choose another title, omit it to get a free one, or update the other page.',
  },
  slug_taken: {
    kind: 'conflict',
    meaning:
      'Another page of this server has this slug, or another account gave it up within a year.',
    cure: 'Choose another slug, or omit it to get a free one.',
  },
} as const satisfies Errors

/** Errors about a page and what belongs to it. */
export const PAGE_ERRORS = {
  page_not_found: {
    kind: 'not_found',
    meaning: 'This account has no such page. Pages of other accounts give the same error.',
    cure: 'Take the id from the list of pages, and check the account of the API key.',
  },
  idempotency_key_reused: {
    kind: 'conflict',
    meaning: 'The `Idempotency-Key` was used with another body within the last 24 hours.',
    cure: 'Use a new key for a new request, and the same key only for a retry with the same body.',
  },
  conflict: {
    kind: 'conflict',
    meaning: 'Another request changed the draft at the same time. Nothing was written.',
    cure: 'Read the page again, and repeat the change on its current content.',
  },
  precondition_failed: {
    kind: 'precondition',
    meaning: 'The page has changed since it had the `ETag` in `If-Match`.',
    cure: 'Read the page again, check what has changed, and send its new `ETag`.',
  },
  wrong_kind: {
    kind: 'invalid',
    meaning: 'The content has another kind than the page: single page, deck or file.',
    cure: 'Send the kind of content that the message names, or create another page.',
  },
  not_html: {
    kind: 'invalid',
    meaning: 'The page is a PDF or an image, so it has no HTML.',
    cure: 'Replace its file with `file_base64`, `file_url` or `file_upload`.',
  },
  version_not_found: {
    kind: 'not_found',
    meaning: 'The page has no version with this number.',
    cure: 'Take the number from the list of versions. Old unnamed versions are deleted.',
  },
  path_not_found: {
    kind: 'not_found',
    meaning: 'The content has no file with this path.',
    cure: 'Take the path from `files` or `assets` of the content; a single page is `index.html`.',
  },
  request_not_found: {
    kind: 'not_found',
    meaning: 'The page has no such access request.',
    cure: 'Take the id from the list of access requests.',
  },
  too_many_invitees: {
    kind: 'conflict',
    meaning: 'The page has the maximum number of invited addresses.',
    cure: 'Remove an address from `allowed_emails`, and approve again.',
  },
  nobody_invited: {
    kind: 'conflict',
    meaning: 'The page has no invited addresses that could be mailed.',
    cure: 'Put addresses into `allowed_emails` first.',
  },
  response_not_found: {
    kind: 'not_found',
    meaning: 'The page has no such response.',
    cure: 'Take the id from the list of responses. It may have been deleted.',
  },
  unknown_explode_key: {
    kind: 'invalid',
    meaning: 'The responses have no field with this name that is a list of objects.',
    cure: 'Use one of the names in `explodable`, or `none`.',
  },
} as const satisfies Errors

/** Errors of every operation that accepts content. */
export const CONTENT_ERRORS = {
  content_source: {
    kind: 'invalid',
    meaning: 'The request has no content, several contents, or a member that belongs to none.',
    cure: 'Send exactly one content source, and only the members that belong to it.',
  },
  empty_html: {
    kind: 'invalid',
    meaning: 'The HTML is empty, or only white space.',
    cure: 'Send a complete HTML document.',
  },
  invalid_html: {
    kind: 'invalid',
    meaning: 'The fetched or uploaded bytes are not text in a recognizable character set.',
    cure: 'Save the HTML as UTF-8.',
  },
  elided_html: {
    kind: 'invalid',
    meaning: 'The HTML contains `ELIDED-BY-SERVICE` placeholders, which stand for omitted data.',
    cure: 'Read the page with `full=true` before replacing it, or edit it in place.',
  },
  invalid_base64: {
    kind: 'invalid',
    meaning: 'The text is not standard base64, or is incomplete.',
    cure: 'Encode the bytes with `+`, `/` and padding, without a `data:` prefix.',
  },
  invalid_html_base64: {
    kind: 'invalid',
    meaning: 'The base64 is valid, but its bytes are empty or not UTF-8.',
    cure: 'Encode the HTML as UTF-8, and then the bytes as base64.',
  },
  sha256_mismatch: {
    kind: 'unprocessable',
    meaning: 'The SHA-256 of the received bytes is not `sha256`.',
    cure: 'Send the content again; if it is cut short every time, use an upload.',
  },
  content_too_large: {
    kind: 'too_large',
    meaning: 'The content is larger than the plan of the account allows.',
    cure: 'Send at most `limit` bytes: shrink images, or move them out of the HTML.',
  },
  quota_reached: {
    kind: 'too_large',
    meaning:
      'The account has as much stored, or as many uploads waiting, as its plan allows: `quota` ' +
      'says of what, `used` and `limit` how much.',
    cure: 'Delete pages that you no longer need, publish what you uploaded, or get a larger plan.',
  },
  invalid_url: {
    kind: 'invalid',
    meaning: 'The text is not a complete https URL.',
    cure: 'Give an `https://` URL without a user name or password.',
  },
  fetch_failed: {
    kind: 'invalid',
    meaning: 'The server could not fetch the URL, or must not.',
    cure: 'Give a public https URL that answers within 30 seconds, or send the content itself.',
  },
  upload_not_found: {
    kind: 'invalid',
    meaning: 'There is no such upload in this account, or its 24 hours are over.',
    cure: 'Upload the bytes again, and use the new id.',
  },
  bad_filename: {
    kind: 'invalid',
    meaning: 'The filename is empty or has only dots.',
    cure: 'Give a name such as `report.pdf`.',
  },
  unsupported_file_type: {
    kind: 'invalid',
    meaning:
      'A page of one file is a PDF, PNG, JPG, WebP or GIF, and an asset of a deck has one of the ' +
      'types of assets; the name says another type than the bytes, or one that is not taken.',
    cure: 'Convert it to one of these types, or name it as what it is; see the `assets` of a deck.',
  },
  truncated_image: {
    kind: 'invalid',
    meaning: 'The bytes of the image end before the image does.',
    cure: 'Send the whole file again; if it is cut short every time, use an upload.',
  },
  empty_deck: {
    kind: 'invalid',
    meaning: 'The deck has no HTML file.',
    cure: 'Send at least one file in `files`.',
  },
  too_many_files: {
    kind: 'invalid',
    meaning: 'The deck has more HTML files or assets than a deck may have.',
    cure: 'Send at most `limit` of them.',
  },
  bad_path: {
    kind: 'invalid',
    meaning: 'A path of the deck is not allowed.',
    cure: 'Use relative paths with `/`, without `..` or a leading `~`; HTML goes into `files`.',
  },
  duplicate_path: {
    kind: 'invalid',
    meaning: 'Two files of the deck have the same path, or paths that differ only by case.',
    cure: 'Give every file a path of its own.',
  },
  bad_entry: {
    kind: 'invalid',
    meaning: '`entry` is not the path of an HTML file of the deck.',
    cure: 'Give one of the paths in `files`, or omit `entry`.',
  },
  bad_fallback: {
    kind: 'invalid',
    meaning: '`fallback` is not the path of an HTML file of the page.',
    cure: 'Give the path of one of the HTML files, mostly `index.html`, or null.',
  },
} as const satisfies Errors

/** Errors of find-and-replace edits. */
export const EDIT_ERRORS = {
  file_not_found: {
    kind: 'invalid',
    meaning: 'The draft has no file with this path to edit or to keep.',
    cure: 'Read the list of the page’s files, which has the paths of all.',
  },
  invalid_edit: {
    kind: 'invalid',
    meaning: 'The text of an edit is not valid Unicode.',
    cure: 'Correct the text of the edit with the index `edit_index`.',
  },
  elided_edit: {
    kind: 'unprocessable',
    meaning: 'An edit would write an `ELIDED-BY-SERVICE` placeholder into the page.',
    cure: 'Leave the placeholder out of `replace`: edit only the text around the omitted data.',
  },
  edit_not_found: {
    kind: 'unprocessable',
    meaning: 'The page does not contain the `find` of an edit after the edits before it.',
    cure: 'Read the HTML again and copy the text exactly, with its spaces and line breaks.',
  },
  edit_ambiguous: {
    kind: 'unprocessable',
    meaning: 'The page contains the `find` of an edit more than once.',
    cure: 'Make `find` longer until it occurs once, or set `replace_all`.',
  },
  too_many_matches: {
    kind: 'unprocessable',
    meaning: 'An edit with `replace_all` has more than 1,000 matches.',
    cure: 'Make `find` longer, or replace the whole HTML.',
  },
  too_many_edits: {
    kind: 'unprocessable',
    meaning: 'The request has more edits than are allowed for a page of this size.',
    cure: 'Send at most `max_edits` edits in a request, and the rest in another.',
  },
  edit_empties_page: {
    kind: 'unprocessable',
    meaning: 'The edits would leave the page empty.',
    cure: 'Leave some text in the page, or delete the page.',
  },
  html_too_large: {
    kind: 'too_large',
    meaning: 'The edits would make the HTML larger than the plan of the account allows.',
    cure: 'Insert less: the result may have at most `limit` bytes.',
  },
} as const satisfies Errors
