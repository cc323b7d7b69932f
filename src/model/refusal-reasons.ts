/** Why a visitor could not open a page. */
export const REFUSAL_REASONS = [
  'password',
  'wrong_password',
  'email',
  'wrong_code',
  'refused_address',
  'not_invited',
  'sign_in',
  'private',
  'too_many_tries',
  'expired',
  'view_limit',
  'not_published',
  'taken_down',
  'suspended',
] as const
export type RefusalReason = (typeof REFUSAL_REASONS)[number]
