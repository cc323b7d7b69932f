// Without the library of schemas, so that the command line loads this alone.

export const COMMENT_STATES = ['all', 'open', 'resolved', 'hidden'] as const

/** The states and the kinds by which the inbox is listed. */
export const ITEM_STATES = ['open', 'unread', 'done'] as const
export const ITEM_KINDS = [
  'thread',
  'request',
  'decision',
  'response',
  'agreement',
  'opening',
] as const
