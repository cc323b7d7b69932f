/** The parameters of reports of views. */

/** One page, or all pages of an account. */
export type Whose = { page_id: string } | { account_id: string }

export interface Hour {
  hour: number
  views: number
  viewers: number
}

/** From one number to before another: of hours or days since the epoch. */
export interface Span {
  from: number
  to: number
}
