/**
 * The header that every request to `/app/api` has, with the value `1`. A form or a link of another
 * site cannot set it, and its script could only after a preflight, which this server refuses.
 */
export const APP_HEADER = 'x-handbill-request'

/** The id of the account that a tab shows: another one may have signed in in another tab since. */
export const ACCOUNT_HEADER = 'x-handbill-account'

/** Where a tab that was opened to sign in ends: it leads back to the tab that opened it. */
export const SIGNED_IN_PATH = '/app/signed-in'
