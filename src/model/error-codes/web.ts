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
