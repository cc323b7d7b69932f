import type { Errors } from './meaning.ts'

/** Errors of asking for approvals, and of approvers' decisions. */
export const APPROVAL_ERRORS = {
  approvals_off: {
    kind: 'conflict',
    meaning: 'The page collects no approvals.',
    cure: 'The owner can set `collect_approvals` and `approver_emails`.',
  },
  nothing_published: {
    kind: 'conflict',
    meaning:
      'The page is not published, so there is nothing to approve, to compare with or to invite to.',
    cure: 'Publish the page first; a comparison can name a version instead.',
  },
  record_not_found: {
    kind: 'not_found',
    meaning: 'No such record was imported with the page.',
    cure: 'Take the id from `imported_records` of the page’s approvals.',
  },
} as const satisfies Errors

/** Errors of the panel, in which approvers decide. */
export const DECISION_ERRORS = {
  not_an_approver: {
    kind: 'forbidden',
    meaning: 'The address is not among the page’s approvers.',
    cure: 'The owner can add it to `approver_emails`.',
  },
  page_changed: {
    kind: 'conflict',
    meaning: 'Other content was published since the viewer opened the page.',
    cure: 'Reload the page, and decide about what it shows then.',
  },
  email_missing: {
    kind: 'invalid',
    meaning: 'The viewer has not confirmed an address, and gave none.',
    cure: 'Give the address at which the owner asked.',
  },
  too_many_decisions: {
    kind: 'conflict',
    meaning: 'The approver has decided as often as a page keeps of each approver.',
    cure: 'Tell the owner in another way.',
  },
} as const satisfies Errors
