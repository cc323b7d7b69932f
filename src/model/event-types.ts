/** What viewers do, by the names of the types of events. */
export const EVENT_TYPES = [
  'comment',
  'reply',
  'response',
  'vote',
  'approval',
  'access_request',
  'opened',
  'agreement',
] as const
export type EventType = (typeof EVENT_TYPES)[number]
