// Without the library of schemas, so that browsers load this alone.

export const MAX_INVITEES = 500
export const PASSWORD_LENGTH = { min: 4, max: 128 }
export const MAX_MAX_VIEWS = 2_147_483_647
export const MAX_APPROVERS = 50
export const POLL_OPTIONS = { min: 2, max: 12 }
export const MAX_POLL_QUESTION = 500
export const MAX_POLL_OPTION = 200
export const MAX_OG_TITLE = 300
export const MAX_OG_DESCRIPTION = 1000
/** The days of analytics beside a list of pages. */
export const MAX_DAYS = 90
/** How many names the panel shows at an option of a poll: the latest. */
export const MAX_SHOWN_NAMES = 50
/** The stored votes of a page. Beyond it, nobody new can vote, but votes can be changed. */
export const MAX_VOTES = 1_000_000
