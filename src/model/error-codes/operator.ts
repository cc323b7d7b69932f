import type { Errors } from './meaning.ts'

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
