import type { Errors } from './meaning.ts'

/** What a visitor's answer is refused with: the `code` that `Service.submit` rejects by. */
export const FORM_ERRORS = {
  closed: {
    kind: 'conflict',
    meaning: 'The page no longer takes responses: `responses_closed_at` has passed.',
    cure: 'Its owner reopens it by setting `responses_closed_at` to null.',
  },
  full: {
    kind: 'conflict',
    meaning: 'The page holds as many responses as its owner’s plan allows.',
    cure: 'Its owner deletes some or moves to a larger plan; who has answered can still change it.',
  },
  too_large: {
    kind: 'too_large',
    meaning: 'The response is larger than 256 KB.',
    cure: 'Send less, and no files in it.',
  },
  invalid_data: {
    kind: 'invalid',
    meaning: 'What was sent is not an object of JSON values.',
    cure: 'Submit a plain object: no functions, cycles or binary data.',
  },
  stale: {
    kind: 'forbidden',
    meaning: 'The page was opened too long ago, or its access changed since.',
    cure: 'Reload the page and send again.',
  },
  not_collecting: {
    kind: 'conflict',
    meaning: 'The published page has no `<form data-service>` and no `Service.submit(…)`.',
    cure: 'Publish a page that has one of them.',
  },
  not_published: {
    kind: 'not_found',
    meaning: 'The page is not published any more.',
    cure: 'Its owner publishes it again.',
  },
  expired: {
    kind: 'not_found',
    meaning: 'The link has expired.',
    cure: 'Its owner moves `expires_at`, or sets it to null.',
  },
  view_limit: {
    kind: 'not_found',
    meaning: 'The link was closed by its view limit.',
    cure: 'Its owner raises `max_views`, or sets it to null.',
  },
  gone: {
    kind: 'not_found',
    meaning: 'The page was deleted.',
    cure: 'There is nothing to send to any more.',
  },
  spam: {
    kind: 'invalid',
    meaning: 'The form was filled in where only a program would.',
    cure: 'Reload the page and send again; leave hidden fields alone.',
  },
} as const satisfies Errors

/** Of the service's own pages and commands. None of these is answered by the API. */
export const HOUSE_ERRORS = {
  stale_form: {
    kind: 'forbidden',
    meaning: 'The form is old, or the browser sent no cookie back.',
    cure: 'Open the page again and send the form once more.',
  },
  foreign_origin: {
    kind: 'forbidden',
    meaning: 'The form was sent by a page of another site.',
    cure: 'Send it from the service’s own page.',
  },
  not_a_form: {
    kind: 'unsupported_media',
    meaning: 'What was sent is not a form.',
    cure: 'Send the form as it is on the page.',
  },
  malformed_form: {
    kind: 'invalid',
    meaning: 'The form cannot be read.',
    cure: 'Send the form as it is on the page.',
  },
  form_too_large: {
    kind: 'too_large',
    meaning: 'The form holds more than any form of the service.',
    cure: 'Send less.',
  },
  setup_link_gone: {
    kind: 'not_found',
    meaning: 'The set-up link was used, or has expired.',
    cure: 'Sign in, or make an account with `bin/handbill account add`.',
  },
  no_account: {
    kind: 'forbidden',
    meaning: 'There is no account for this address, and the server is not open to new ones.',
    cure: 'Ask whoever runs the server for an account.',
  },
  bad_email: {
    kind: 'invalid',
    meaning: 'The text is not an email address.',
    cure: 'Give an address such as ada@example.com.',
  },
  account_exists: {
    kind: 'conflict',
    meaning: 'There is an account for this address.',
    cure: 'Use it, or give another address.',
  },
  account_not_found: {
    kind: 'not_found',
    meaning: 'There is no account for this address.',
    cure: 'Compare with `bin/handbill account list`.',
  },
  key_not_found: {
    kind: 'not_found',
    meaning: 'There is no such key.',
    cure: 'Compare with `bin/handbill key list EMAIL`.',
  },
} as const satisfies Errors
