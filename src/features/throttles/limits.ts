import type { RateLimit } from '../../model/rate-limit.ts'

/** How often one caller may do what no visitor operation declares. */
export const LIMITS = {
  api: { name: 'api', count: 600, windowS: 60 },
  password: { name: 'password', count: 10, windowS: 60 },
  mail_to_email: { name: 'mail-email', count: 5, windowS: 15 * 60 },
  mail_from_address: { name: 'mail-address', count: 20, windowS: 15 * 60 },
  code: { name: 'code', count: 20, windowS: 15 * 60 },
} as const satisfies Record<string, RateLimit>
