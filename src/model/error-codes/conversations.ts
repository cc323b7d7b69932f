import type { Errors } from './meaning.ts'

/** Errors of what visitors do in the panel of conversations, which is our own page. */
export const CONVERSATION_ERRORS = {
  wrong_code: {
    kind: 'invalid',
    meaning: 'The code is wrong, used or too old, or another browser asked for it.',
    cure: 'Type the code of the newest mail, in the browser that asked for it.',
  },
  codes_off: {
    kind: 'rate_limited',
    meaning: 'Too many wrong codes came in, so codes are off for now.',
    cure: 'Open the link of the mail, which still works.',
  },
  account_address: {
    kind: 'conflict',
    meaning: 'The page asks its visitors to sign in, so the address of their account counts.',
    cure: 'Sign in with the account of the other address.',
  },
  name_reserved: {
    kind: 'invalid',
    meaning:
      'The name looks like that of the page’s owner or of the service, or like an email address, ' +
      'and could be taken for it.',
    cure: 'Give another name, or none. What was written is kept in the panel.',
  },
} as const satisfies Errors
