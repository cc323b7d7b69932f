/** What happens on pages, by the names of the types of events. */
export const EVENT_TYPES = [
  'comment',
  'reply',
  'response',
  'vote',
  'approval',
  'access_request',
  'opened',
  'agreement',
  'page_closed',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** Why the link of a page closes by itself. */
export const CLOSING_REASONS = ['expired', 'view_limit'] as const
export type ClosingReason = (typeof CLOSING_REASONS)[number]
