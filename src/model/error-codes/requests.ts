import type { Errors } from './meaning.ts'

/** Errors of the request itself, before any page is read. */
export const REQUEST_ERRORS = {
  missing_key: {
    kind: 'unauthenticated',
    meaning: 'The request has no API key.',
    cure: 'Send the header `Authorization: Bearer sm_…`.',
  },
  bad_key: {
    kind: 'unauthenticated',
    meaning: 'The API key is mistyped, unknown to this server, or revoked.',
    cure: 'Check that the whole key was copied, or make a new key in the app or on the server.',
  },
  operator_only: {
    kind: 'forbidden',
    meaning: 'The account does not operate this server.',
    cure: 'Ask its operator, or use the key of an account that operates it.',
  },
  rate_limited: {
    kind: 'rate_limited',
    meaning: 'There were too many requests in a short time.',
    cure: 'Wait for the number of seconds in `Retry-After`, and then send the request again.',
  },
  malformed_json: {
    kind: 'invalid',
    meaning: 'The body is not a JSON object in UTF-8, or it has thousands of values.',
    cure: 'Send one JSON object, serialized by a JSON library.',
  },
  not_json: {
    kind: 'unsupported_media',
    meaning: 'The `Content-Type` of the body is not JSON.',
    cure: 'Send JSON, with the header `Content-Type: application/json`.',
  },
  encoded_body: {
    kind: 'unsupported_media',
    meaning: 'The body is compressed.',
    cure: 'Send the body uncompressed, without `Content-Encoding`.',
  },
  unknown_parameter: {
    kind: 'invalid',
    meaning: 'The request has a parameter that this operation does not have.',
    cure: 'Correct the spelling of `param`, or omit it.',
  },
  invalid_parameter: {
    kind: 'invalid',
    meaning: 'A parameter is missing, has a wrong type or is outside its limits.',
    cure: 'Change `param` as the message says.',
  },
  bad_idempotency_key: {
    kind: 'invalid',
    meaning: 'The `Idempotency-Key` is empty or too long.',
    cure: 'Send 1 to 255 characters, such as a UUID, or omit the header.',
  },
  empty_upload: {
    kind: 'invalid',
    meaning: 'The upload has no bytes.',
    cure: 'Send the bytes as the body; with curl, use `--data-binary @file`.',
  },
  unknown_endpoint: {
    kind: 'not_found',
    meaning: 'The API has no endpoint with this path.',
    cure: 'Compare the path with the reference. It starts with `/api/v1`.',
  },
  method_not_allowed: {
    kind: 'method_not_allowed',
    meaning: 'The endpoint exists, but does not support this method.',
    cure: 'Use one of the methods in the header `Allow`.',
  },
  server_busy: {
    kind: 'unavailable',
    meaning: 'The bodies of the requests under way take all the memory that is set aside for them.',
    cure: 'Wait for the number of seconds in `Retry-After`, and then send the request again.',
  },
  body_timeout: {
    kind: 'timed_out',
    meaning: 'No byte of the body arrived for ten seconds.',
    cure: 'Send the request again, on a better connection.',
  },
  storage_full: {
    kind: 'no_space',
    meaning:
      'The disk of the server has no space left for content, or its database is full. Nothing ' +
      'was stored. Signing in, deleting and changing who may open a page still work.',
    cure: 'Tell the operator of the server, and send the request again later.',
  },
  database_down: {
    kind: 'unavailable',
    meaning: 'The database of the server does not answer.',
    cure: 'Wait as long as `Retry-After` says, and look whether it was done before you repeat it.',
  },
  files_down: {
    kind: 'unavailable',
    meaning: 'The storage for large files of the server does not answer. Nothing was saved.',
    cure: 'Wait for the number of seconds in `Retry-After`, and then send the request again.',
  },
  internal: {
    kind: 'fault',
    meaning: 'An error occurred on the server.',
    cure: 'Try again. If it happens again, give `request_id` to the operator of the server.',
  },
} as const satisfies Errors

/**
 * Errors of the service's own web pages, of its links and of the server's commands. No operation of
 * the API returns them.
 */
export const WEB_ERRORS = {
  stale_form: {
    kind: 'forbidden',
    meaning: 'The form is too old, or the browser did not send its cookie.',
    cure: 'Open the page again and send the form once more.',
  },
  not_a_form: {
    kind: 'unsupported_media',
    meaning: 'The request body is not a form.',
    cure: 'Send the form from its page, without changes.',
  },
  malformed_form: {
    kind: 'invalid',
    meaning: 'The form cannot be parsed.',
    cure: 'Send the form from its page, without changes.',
  },
  form_too_large: {
    kind: 'too_large',
    meaning: 'The form is larger than any form of this service.',
    cure: 'Send less text.',
  },
  setup_link_gone: {
    kind: 'not_found',
    meaning: 'The set-up link was used, or has expired.',
    cure: 'Sign in, or make an account with `bin/handbill account add`.',
  },
  upload_link_gone: {
    kind: 'not_found',
    meaning: 'The address for an upload is incomplete, was used, or has expired.',
    cure: 'Make another with `POST /uploads/links` or the tool `create_upload`.',
  },
  no_account: {
    kind: 'forbidden',
    meaning: 'This address has no account, and the server does not let anyone make one.',
    cure: 'Ask the operator of the server for an account.',
  },
} as const satisfies Errors

/** Errors of what the operator of the server does. */
export const OPERATOR_ERRORS = {
  mail_not_found: {
    kind: 'not_found',
    meaning: 'The outbox has no such mail.',
    cure: 'Take the id from the list of mails. A mail is deleted a month after it was sent.',
  },
  mail_sent: {
    kind: 'conflict',
    meaning: 'The mail was sent already.',
    cure: 'Have the person ask for a new mail, such as a link to sign in.',
  },
} as const satisfies Errors
