import { as, type Errors } from './meaning.ts'

const conflict = as('conflict')
const fault = as('fault')
const forbidden = as('forbidden')
const invalid = as('invalid')
const methodNotAllowed = as('method_not_allowed')
const noSpace = as('no_space')
const notFound = as('not_found')
const rateLimited = as('rate_limited')
const timedOut = as('timed_out')
const tooLarge = as('too_large')
const unauthenticated = as('unauthenticated')
const unavailable = as('unavailable')
const unsupportedMedia = as('unsupported_media')

/** Errors of the request itself, before any page is read. */
export const REQUEST_ERRORS = {
  missing_key: unauthenticated(
    'The request has no API key.',
    'Send the header `Authorization: Bearer sm_…`.',
  ),
  bad_key: unauthenticated(
    'The API key is mistyped, unknown to this server, or revoked.',
    'Check that the whole key was copied, or make a new key in the app or on the server.',
  ),
  operator_only: forbidden(
    'The account does not operate this server.',
    'Ask its operator, or use the key of an account that operates it.',
  ),
  rate_limited: rateLimited(
    'There were too many requests in a short time.',
    'Wait for the number of seconds in `Retry-After`, and then send the request again.',
  ),
  malformed_json: invalid(
    'The body is not a JSON object in UTF-8, or it has thousands of values.',
    'Send one JSON object, serialized by a JSON library.',
  ),
  not_json: unsupportedMedia(
    'The `Content-Type` of the body is not JSON.',
    'Send JSON, with the header `Content-Type: application/json`.',
  ),
  encoded_body: unsupportedMedia(
    'The body is compressed.',
    'Send the body uncompressed, without `Content-Encoding`.',
  ),
  unknown_parameter: invalid(
    'The request has a parameter that this operation does not have.',
    'Correct the spelling of `param`, or omit it.',
  ),
  invalid_parameter: invalid(
    'A parameter is missing, has a wrong type or is outside its limits.',
    'Change `param` as the message says.',
  ),
  bad_idempotency_key: invalid(
    'The `Idempotency-Key` is empty or too long.',
    'Send 1 to 255 characters, such as a UUID, or omit the header.',
  ),
  empty_upload: invalid(
    'The upload has no bytes.',
    'Send the bytes as the body; with curl, use `--data-binary @file`.',
  ),
  unknown_endpoint: notFound(
    'The API has no endpoint with this path.',
    'Compare the path with the reference. It starts with `/api/v1`.',
  ),
  method_not_allowed: methodNotAllowed(
    'The endpoint exists, but does not support this method.',
    'Use one of the methods in the header `Allow`.',
  ),
  server_busy: unavailable(
    'The bodies of the requests under way take all the memory that is set aside for them.',
    'Wait for the number of seconds in `Retry-After`, and then send the request again.',
  ),
  body_timeout: timedOut(
    'No byte of the body arrived for ten seconds.',
    'Send the request again, on a better connection.',
  ),
  storage_full: noSpace(
    'The disk of the server has no space left for content, or its database is full. Nothing ' +
      'was stored. Signing in, deleting and changing who may open a page still work.',
    'Tell the operator of the server, and send the request again later.',
  ),
  database_down: unavailable(
    'The database of the server does not answer.',
    'Wait as long as `Retry-After` says, and look whether it was done before you repeat it.',
  ),
  files_down: unavailable(
    'The storage for large files of the server does not answer. Nothing was saved.',
    'Wait for the number of seconds in `Retry-After`, and then send the request again.',
  ),
  internal: fault(
    'An error occurred on the server.',
    'Try again. If it happens again, give `request_id` to the operator of the server.',
  ),
} as const satisfies Errors

/**
 * Errors of the service's own web pages, of its links and of the server's commands. No operation of
 * the API returns them.
 */
export const WEB_ERRORS = {
  stale_form: forbidden(
    'The form is too old, or the browser did not send its cookie.',
    'Open the page again and send the form once more.',
  ),
  not_a_form: unsupportedMedia(
    'The request body is not a form.',
    'Send the form from its page, without changes.',
  ),
  malformed_form: invalid(
    'The form cannot be parsed.',
    'Send the form from its page, without changes.',
  ),
  form_too_large: tooLarge('The form is larger than any form of this service.', 'Send less text.'),
  setup_link_gone: notFound(
    'The set-up link was used, or has expired.',
    'Sign in, or make an account with `bin/handbill account add`.',
  ),
  upload_link_gone: notFound(
    'The address for an upload is incomplete, was used, or has expired.',
    'Make another with `POST /uploads/links` or the tool `create_upload`.',
  ),
  no_account: forbidden(
    'This address has no account, and the server does not let anyone make one.',
    'Ask the operator of the server for an account.',
  ),
} as const satisfies Errors

/** Errors of what the operator of the server does. */
export const OPERATOR_ERRORS = {
  mail_not_found: notFound(
    'The outbox has no such mail.',
    'Take the id from the list of mails. A mail is deleted a month after it was sent.',
  ),
  mail_sent: conflict(
    'The mail was sent already.',
    'Have the person ask for a new mail, such as a link to sign in.',
  ),
} as const satisfies Errors
