import type { Errors } from './meaning.ts'

/** Whatever sets a page's settings can refuse them by these. */
export const SETTINGS_ERRORS = {
  plan_required: {
    kind: 'plan_required',
    meaning: 'The account’s plan does not include this setting.',
    cure: 'Leave `param` out, or ask whoever runs the server for a larger plan.',
  },
  contradictory_settings: {
    kind: 'invalid',
    meaning: 'The settings are each valid, but not together.',
    cure: 'Send what the message names in the same request.',
  },
  duplicate_title: {
    kind: 'conflict',
    meaning: 'Another page of the account has this title.',
    cure: 'Choose another title, leave it out to get a free one, or update the other page.',
  },
  slug_taken: {
    kind: 'conflict',
    meaning: 'Another page of this server has this slug.',
    cure: 'Choose another slug, or leave it out to get a free one.',
  },
} as const satisfies Errors

/** About a page: what it is, and what belongs to it. */
export const PAGE_ERRORS = {
  page_not_found: {
    kind: 'not_found',
    meaning: 'This account has no such page; a page of another account is answered the same.',
    cure: 'Take the id from the list of pages, and check which account the key is of.',
  },
  idempotency_key_reused: {
    kind: 'conflict',
    meaning: 'The `Idempotency-Key` came with another body within the last 24 hours.',
    cure: 'Use a new key for a new request, and the same key only to repeat the same body.',
  },
  conflict: {
    kind: 'conflict',
    meaning: 'Another write changed the draft while this one was being made.',
    cure: 'Read the page again, and repeat the change on what it holds now.',
  },
  precondition_failed: {
    kind: 'precondition',
    meaning: 'The page is no longer what `If-Match` names.',
    cure: 'Read the page again, look at what changed, and send its new `ETag`.',
  },
  wrong_kind: {
    kind: 'invalid',
    meaning: 'The content does not fit the page: it stays a single page, a deck or a file.',
    cure: 'Send the kind of content the message names, or create another page.',
  },
  not_html: {
    kind: 'invalid',
    meaning: 'The page is a PDF or an image, and has no HTML.',
    cure: 'Replace its file with `file_base64`, `file_url` or `file_upload` instead.',
  },
  version_not_found: {
    kind: 'not_found',
    meaning: 'The page has no version of this number.',
    cure: 'Take the number from the list of versions; old unnamed versions are not kept.',
  },
  request_not_found: {
    kind: 'not_found',
    meaning: 'The page has no such access request.',
    cure: 'Take the id from the list of access requests.',
  },
  too_many_invitees: {
    kind: 'conflict',
    meaning: 'The page has as many invited addresses as it can have.',
    cure: 'Remove an address from `allowed_emails`, then approve again.',
  },
  response_not_found: {
    kind: 'not_found',
    meaning: 'The page has no such response.',
    cure: 'Take the id from the list of responses; it may have been deleted already.',
  },
  unknown_explode_key: {
    kind: 'invalid',
    meaning: 'No field of the responses that is a list of objects has this name.',
    cure: 'Use one of the names in `explodable`, or `none`.',
  },
} as const satisfies Errors
