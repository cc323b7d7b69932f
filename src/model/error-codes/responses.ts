import type { Errors } from './meaning.ts'

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
