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
