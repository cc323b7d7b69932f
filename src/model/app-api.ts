/**
 * The header that every request to `/app/api` has, with the value `1`. A form or a link of another
 * site cannot set it, and its script could only after a preflight, which this server refuses.
 */
export const APP_HEADER = 'x-handbill-request'
