import type { Errors } from './meaning.ts'

/** Errors of a vote. The panel beside the page shows them; the API returns none. */
export const POLL_ERRORS = {
  poll_off: {
    kind: 'not_found',
    meaning: 'The page has no poll, or its owner has switched the poll off.',
    cure: 'The owner can set `collect_votes` to true: the votes were kept.',
  },
  poll_closed: {
    kind: 'conflict',
    meaning: 'Voting has ended, because `poll_closes_at` has passed.',
    cure: 'The owner can set a later `poll_closes_at`, or null.',
  },
  poll_changed: {
    kind: 'conflict',
    meaning: 'The owner has changed whether votes are named since the voter opened the poll.',
    cure: 'Read the poll again, and vote again if that is acceptable.',
  },
  poll_full: {
    kind: 'conflict',
    meaning: 'The poll has as many votes as it can hold, and accepts only changes of them.',
    cure: 'The owner can end the poll, or continue on another page.',
  },
  unknown_option: {
    kind: 'conflict',
    meaning: 'The poll does not have this option, or no longer.',
    cure: 'Read the poll again and choose one of its options.',
  },
  email_not_confirmed: {
    kind: 'forbidden',
    meaning: 'The poll counts one vote for each confirmed email address, and there is none.',
    cure: 'Confirm an address in the panel, and vote again.',
  },
} as const satisfies Errors
