/** What somebody opens a page for: to see it, or to look at a draft or version of their own. */
export type Purpose = 'view' | 'preview'

declare const decided: unique symbol
declare const behind: unique symbol

/** A gate let somebody in. Only `decide` (features/access/rules.ts) makes one. */
export interface Admission<P extends Purpose = 'view'> {
  readonly outcome: 'open'
  readonly purpose: P
  /** The gate that it was let in at. */
  readonly gate: object
  readonly [decided]: true
}

/** What a gate closes. Only `open` (features/access/rules.ts) gives it, for an admission. */
export interface Gated<Content extends Record<Purpose, object>> {
  readonly gate: object
  readonly [behind]?: Content
}

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
  'agreement',
  'too_many_tries',
  'expired',
  'link_closed',
  'view_limit',
  'not_published',
  'taken_down',
  'suspended',
] as const
export type RefusalReason = (typeof REFUSAL_REASONS)[number]
