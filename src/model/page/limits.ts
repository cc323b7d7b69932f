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
