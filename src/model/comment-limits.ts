// Without the library of schemas, so that browsers load this alone.

export const MAX_BODY = 5000
export const MAX_NAME = 80
export const MAX_PATH = 1024
/** Comments and replies of one page. */
export const MAX_COMMENTS = 10_000
/** Replies to one comment. */
export const MAX_REPLIES = 1000
