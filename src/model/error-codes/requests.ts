import { type Errors, of } from './meaning.ts'

const { conflict, fault, forbidden, invalid, methodNotAllowed, noSpace, notFound } = of
const { rateLimited, timedOut, tooLarge, unauthenticated, unavailable, unsupportedMedia } = of

/** Errors of requests, sessions, accounts, and whoever operates the server. */
export const REQUEST_ERRORS = {
  // Errors of the request itself, before any page is read.
  missing_key: unauthenticated(
    'The request has no API key, or has it without `Bearer`.',
    'Send the header `Authorization: Bearer sm_…`.',
  ),
  bad_key: unauthenticated(
    'The API key is mistyped, unknown to this server, or revoked.',
    'Check that the whole key was copied, or make a new key in the app or on the server.',
  ),
  key_expired: unauthenticated(
    'The API key was made for a time that is over.',
    'Make a new key in the app or on the server.',
  ),
  scope_missing: forbidden(
    'The API key is limited, and this is outside of what it may do: `scope` names the limit.',
    'Use a key without that limit, or what the message names.',
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
    'The body is not a JSON object in UTF-8, has a name twice, or has thousands of values.',
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
    'The bodies of the requests under way take all the memory that is set aside for them, or ' +
      'the work on large content took too long.',
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

  // Errors of operations that take a session, and no API key.
  session_only: forbidden(
    'The operation takes no API key, so that a stolen key cannot make itself permanent.',
    'Sign in and do it in the app, or with the commands on the server.',
  ),
  signed_out: unauthenticated(
    'Nobody is signed in in this browser, the session has ended, or another account has signed in.',
    'Sign in, and send the request again.',
  ),
  sign_in_again: forbidden(
    'The session signed in more than an hour ago. Opening a page to everyone, exports, new API ' +
      'keys, passkeys and what an operator changes ask for a newer sign-in. API keys are never ' +
      'asked.',
    'Sign in again in the same browser, and send the request again.',
  ),
  foreign_origin: forbidden(
    'A page of another site sent the request, or no page of this service.',
    'Do it in the app, or by the API with a key where the operation takes one.',
  ),
  guest_session: forbidden(
    'The signed-in account is a guest, which opens pages and has none of its own.',
    'Ask the operator of the server for an account.',
  ),
  session_not_found: notFound(
    'The account has no such session: it has ended.',
    'Take the id from the list of sessions.',
  ),
  identity_not_found: notFound(
    'The account has no such identity: it was unlinked.',
    'Take the id from the list of identities.',
  ),
  passkey_refused: forbidden(
    'What the browser sent does not prove the passkey: it is not of this server, was removed, or ' +
      'answers a challenge that is used or older than five minutes.',
    'Start again, or sign in another way.',
  ),
  passkey_exists: conflict(
    'This passkey is one of an account already.',
    'Use it, or make another.',
  ),
  too_many_passkeys: conflict(
    'The account has 20 passkeys, the most it can have.',
    'Remove one that is no longer used.',
  ),
  webhook_not_found: notFound(
    'The account has no such webhook: it was deleted, or its page was.',
    'Take the id from the list of webhooks.',
  ),
  delivery_not_found: notFound(
    'The webhook has no such delivery: it may have been deleted since.',
    'Take the id from the list of deliveries.',
  ),
  webhook_secret_lost: conflict(
    'The server has another key than when the webhook was made, and cannot sign for it.',
    'Delete the webhook and add it again, or have the operator put the former key back.',
  ),
  too_many_webhooks: conflict(
    'The account has 10 webhooks, the most it can have.',
    'Delete one that is no longer used.',
  ),
  passkey_not_found: notFound(
    'The account has no such passkey: it was removed.',
    'Take the id from the list of passkeys.',
  ),

  // Errors of accounts and their keys, of the API and of the server's commands.
  bad_email: invalid(
    'The text is not an email address.',
    'Give an address such as ada@example.com.',
  ),
  account_exists: conflict(
    'This address has an account already.',
    'Use that account, or give another address.',
  ),
  guest_account: conflict(
    'The account is a guest: it opens pages that it is invited to, and has no API keys.',
    'Make it an account with `bin/handbill account add EMAIL`, or in the app.',
  ),
  account_not_found: notFound(
    'There is no such account.',
    'Find it in the list of accounts, or with `bin/handbill account list`.',
  ),
  account_suspended: forbidden(
    'The operator of the server suspended the account: nothing of it is served.',
    'Ask the operator of the server why, and to undo it. Nothing was deleted.',
  ),
  own_account: conflict(
    'Operators cannot suspend the account that they are signed in to.',
    'Ask another operator.',
  ),
  last_operator: conflict(
    'The account is the only operator of the server, which always has one.',
    'Make another account an operator first: `bin/handbill account operator EMAIL`.',
  ),
  bad_logo: invalid(
    'The logo is no picture that is shown, or too large.',
    'Send a PNG, JPEG or WebP as the message says.',
  ),
  bad_setting: invalid(
    'The value is none that this setting can have.',
    'Correct `param` as the message says.',
  ),
  setting_locked: conflict(
    'An environment variable sets this, so it cannot be changed here.',
    'Change the variable where the server is started, or remove it there.',
  ),
  no_mail_server: conflict(
    'No mail server is set, so there is none to try.',
    'Give `smtp_url`, or set it first.',
  ),
  backup_running: conflict(
    'Another backup is being made, or unused files are being deleted.',
    'Try again in a minute.',
  ),
  key_not_found: notFound(
    'The account has no such API key.',
    'Take the id from the list of keys, or from `bin/handbill key list EMAIL`.',
  ),
  connection_not_found: notFound(
    'No such app is connected to the account: it was disconnected.',
    'Take the id from the list of connections.',
  ),
  email_mismatch: invalid(
    'The typed address is not that of the account, so nothing was deleted.',
    'Type the address of the account as `email`.',
  ),
  ask_not_found: notFound(
    'The account has asked nothing with this id, or the page was deleted.',
    'Take the id from the answer to `POST /asks`.',
  ),
  ask_unfit: conflict(
    'The page cannot ask this: of its access, of another poll on it, or without a form.',
    'Do as the message says, or ask on a new page with `html`.',
  ),
  too_many_keys: conflict(
    'The account has 100 API keys, the most it can have.',
    'Revoke keys that are no longer used.',
  ),
  too_many_saved_filters: conflict(
    'The account has 30 saved filters, the most it can have.',
    'Remove filters that are no longer used.',
  ),

  // Errors of what the operator of the server does.
  mail_not_found: notFound(
    'The outbox has no such mail.',
    'Take the id from the list of mails. A mail is deleted a month after it was sent.',
  ),
  mail_sent: conflict(
    'The mail was sent already.',
    'Have the person ask for a new mail, such as a link to sign in.',
  ),

  // Errors of exports, and of an import as a whole: what is wrong with one page is in its answer.
  not_an_archive: invalid(
    'The body is no complete export of Handbill, so nothing was imported.',
    'Send the zip as it was exported; export again where the download broke off.',
  ),
  archive_too_large: tooLarge(
    'The archive has more than 300,000 files.',
    'Delete pages where it was made, and export again.',
  ),
  import_running: conflict(
    'The account is importing two archives already.',
    'Wait until one of these imports has ended, and send it again: what is there is skipped.',
  ),
  export_running: conflict(
    'The account is exporting twice already.',
    'Wait until one of these downloads has ended.',
  ),
  too_many_exports: rateLimited(
    'The server is making as many exports as it does at once.',
    'Wait for the number of seconds in `Retry-After`, and then export again.',
  ),
  too_many_imports: rateLimited(
    'The server is importing as many archives as it does at once.',
    'Wait for the number of seconds in `Retry-After`, and then send the archive again.',
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
