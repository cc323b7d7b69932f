import type { Plan } from './plan.ts'

export interface Account {
  id: string
  email: string
  name: string | null
  plan: Plan
  /** May call operations of the audience `operator`. */
  is_operator: boolean
  /** Opens pages that it is invited to, and publishes nothing: it has no API keys. */
  is_guest: boolean
}

export interface ApiKey {
  id: string
  name: string | null
  /** The first 7 and the last 4 characters. */
  hint: string
  created_at: string
  last_used_at: string | null
  revoked_at: string | null
}
