import type { Errors } from './meaning.ts'

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
  foreign_origin: {
    kind: 'forbidden',
    meaning: 'A page of another site sent the form.',
    cure: 'Send the form from the page of this service.',
  },
  signed_out: {
    kind: 'unauthenticated',
    meaning: 'Nobody is signed in in this browser, or the session has ended.',
    cure: 'Sign in.',
  },
  guest_session: {
    kind: 'forbidden',
    meaning: 'The signed-in account is a guest, which opens pages and has none of its own.',
    cure: 'Ask the operator of the server for an account.',
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
  bad_email: {
    kind: 'invalid',
    meaning: 'The text is not an email address.',
    cure: 'Give an address such as ada@example.com.',
  },
  account_exists: {
    kind: 'conflict',
    meaning: 'This address has an account already.',
    cure: 'Use that account, or give another address.',
  },
  guest_account: {
    kind: 'conflict',
    meaning: 'The account is a guest: it opens pages that it is invited to, and has no API keys.',
    cure: 'Make it an account with `bin/handbill account add EMAIL`.',
  },
  account_not_found: {
    kind: 'not_found',
    meaning: 'This address has no account.',
    cure: 'Find the address with `bin/handbill account list`.',
  },
  last_operator: {
    kind: 'conflict',
    meaning: 'The account is the only operator of the server, which always has one.',
    cure: 'Make another account an operator first: `bin/handbill account operator EMAIL`.',
  },
  key_not_found: {
    kind: 'not_found',
    meaning: 'There is no such API key.',
    cure: 'Find the key with `bin/handbill key list EMAIL`.',
  },
} as const satisfies Errors
