import type { Errors } from './meaning.ts'

/** Whatever takes content can refuse it by these: where it comes from, and what it may be. */
export const CONTENT_ERRORS = {
  content_source: {
    kind: 'invalid',
    meaning: 'The content is named in no member, in several, or with one that does not go with it.',
    cure: 'Send exactly one content source, and only the members that belong to it.',
  },
  empty_html: {
    kind: 'invalid',
    meaning: 'The HTML is empty.',
    cure: 'Send a complete HTML document.',
  },
  invalid_html: {
    kind: 'invalid',
    meaning: 'The fetched or uploaded bytes are not text in a character set that can be told.',
    cure: 'Save the HTML as UTF-8.',
  },
  elided_html: {
    kind: 'invalid',
    meaning: 'The HTML holds `ELIDED-BY-SERVICE` placeholders, which stand for data left out.',
    cure: 'Read the page with `full=true` before replacing it, or edit it in place.',
  },
  invalid_base64: {
    kind: 'invalid',
    meaning: 'The text is not standard base64, or not whole.',
    cure: 'Encode the bytes with `+`, `/` and padding, without a `data:` prefix.',
  },
  invalid_html_base64: {
    kind: 'invalid',
    meaning: 'The base64 is in order, but holds nothing, or no UTF-8.',
    cure: 'Encode the HTML as UTF-8 first and as base64 then.',
  },
  sha256_mismatch: {
    kind: 'unprocessable',
    meaning: 'The bytes that arrived are not those that `sha256` was made of.',
    cure: 'Send them again; if they are cut short every time, use an upload.',
  },
  content_too_large: {
    kind: 'too_large',
    meaning: 'The content is larger than the account’s plan allows.',
    cure: 'Make it smaller than `limit` bytes: shrink images, or move them out of the HTML.',
  },
  invalid_url: {
    kind: 'invalid',
    meaning: 'The address is not a complete https URL.',
    cure: 'Give an `https://` URL without a user name or password.',
  },
  fetch_failed: {
    kind: 'invalid',
    meaning: 'The address could not be fetched, or may not be.',
    cure: 'Give a public https URL that answers within 30 seconds, or send the content itself.',
  },
  upload_not_found: {
    kind: 'invalid',
    meaning: 'There is no such upload in this account, or its 24 hours are over.',
    cure: 'Upload the bytes again, and use the id that is answered.',
  },
  bad_filename: {
    kind: 'invalid',
    meaning: 'The filename is empty or made of dots alone.',
    cure: 'Give a name such as `report.pdf`.',
  },
  unsupported_file_type: {
    kind: 'invalid',
    meaning: 'The file is no PDF, PNG, JPG, WebP or GIF, or not the one its name says.',
    cure: 'Convert it to one of these; publish anything else as an asset of a deck.',
  },
  empty_deck: {
    kind: 'invalid',
    meaning: 'The deck has no HTML file.',
    cure: 'Send at least one file in `files`.',
  },
  too_many_files: {
    kind: 'invalid',
    meaning: 'The deck has more HTML files or assets than a deck takes.',
    cure: 'Send at most `limit` of them.',
  },
  bad_path: {
    kind: 'invalid',
    meaning: 'A path of the deck cannot be used.',
    cure: 'Use relative paths with `/`, without `..` or a leading `~`; HTML goes into `files`.',
  },
  duplicate_path: {
    kind: 'invalid',
    meaning: 'Two files of the deck have one path, or paths that differ only by case.',
    cure: 'Give every file a path of its own.',
  },
  bad_entry: {
    kind: 'invalid',
    meaning: '`entry` names none of the deck’s HTML files.',
    cure: 'Name one of the paths in `files`, or leave `entry` out.',
  },
} as const satisfies Errors

/** Edits of what is there are refused by these. */
export const EDIT_ERRORS = {
  file_not_found: {
    kind: 'invalid',
    meaning: 'The deck has no HTML file of this path.',
    cure: 'Take the path from the page’s HTML, which lists every file.',
  },
  invalid_edit: {
    kind: 'invalid',
    meaning: 'The text of an edit is no valid Unicode.',
    cure: 'Send whole characters in the edit that `edit_index` names.',
  },
  edit_not_found: {
    kind: 'unprocessable',
    meaning: 'The `find` of an edit is nowhere in the page, as the edits before it left it.',
    cure: 'Read the HTML again and copy the text exactly, with its spaces and line ends.',
  },
  edit_ambiguous: {
    kind: 'unprocessable',
    meaning: 'The `find` of an edit is in the page more than once.',
    cure: 'Make `find` longer until it is there once, or set `replace_all`.',
  },
  too_many_matches: {
    kind: 'unprocessable',
    meaning: 'An edit with `replace_all` would replace more than 1,000 places.',
    cure: 'Make `find` longer, or replace the whole HTML.',
  },
  too_many_edits: {
    kind: 'unprocessable',
    meaning: 'The call makes more edits than a page of this size takes at once.',
    cure: 'Send at most `max_edits` edits in a call, and the rest in another.',
  },
  edit_empties_page: {
    kind: 'unprocessable',
    meaning: 'The edits would leave the page empty.',
    cure: 'Leave text in it, or delete the page.',
  },
  html_too_large: {
    kind: 'too_large',
    meaning: 'The edits would make the HTML larger than the account’s plan allows.',
    cure: 'Insert less: the result may have `limit` bytes.',
  },
} as const satisfies Errors
