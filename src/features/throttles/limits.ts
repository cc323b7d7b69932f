import type { Limit } from './throttles.ts'

/** How often each kind of request is allowed to one caller. */
export const LIMITS = {
  api: { name: 'api', count: 600, windowS: 60 },
  password: { name: 'password', count: 10, windowS: 60 },
  mail_to_email: { name: 'mail-email', count: 5, windowS: 15 * 60 },
  mail_from_address: { name: 'mail-address', count: 20, windowS: 15 * 60 },
  code: { name: 'code', count: 20, windowS: 15 * 60 },
  response_by_viewer: { name: 'response', count: 20, windowS: 60 },
  /** On one page. It is high because a whole office may respond from one address. */
  response_by_address: { name: 'response-address', count: 120, windowS: 60 },
} as const satisfies Record<string, Limit>
