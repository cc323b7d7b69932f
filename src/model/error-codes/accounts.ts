import { as, type Errors } from './meaning.ts'

const conflict = as('conflict')
const forbidden = as('forbidden')
const invalid = as('invalid')
const notFound = as('not_found')
const rateLimited = as('rate_limited')
const tooLarge = as('too_large')
const unauthenticated = as('unauthenticated')

/** Errors of operations that take a session, and no API key. */
export const SESSION_ERRORS = {
  session_only: forbidden(
    'The operation takes no API key, so that a stolen key cannot make itself permanent.',
    'Sign in and do it in the app, or with the commands on the server.',
  ),
  signed_out: unauthenticated(
    'Nobody is signed in in this browser, or the session has ended.',
    'Sign in, and send the request again.',
  ),
  sign_in_again: forbidden(
    'The session signed in more than an hour ago. Opening a page to everyone, exports, new API ' +
      'keys and what an operator changes ask for a newer sign-in. API keys are never asked.',
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
} as const satisfies Errors

/** Errors of accounts and their keys, of the API and of the server's commands. */
export const ACCOUNT_ERRORS = {
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
  key_not_found: notFound(
    'The account has no such API key.',
    'Take the id from the list of keys, or from `bin/handbill key list EMAIL`.',
  ),
  email_mismatch: invalid(
    'The typed address is not that of the account, so nothing was deleted.',
    'Type the address of the account as `email`.',
  ),
  too_many_keys: conflict(
    'The account has 100 API keys, the most it can have.',
    'Revoke keys that are no longer used.',
  ),
} as const satisfies Errors

/** Errors of exports, and of an import as a whole: what is wrong with one page is in its answer. */
export const TRANSFER_ERRORS = {
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
