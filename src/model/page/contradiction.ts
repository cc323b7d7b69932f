/** Settings that are each valid but not together. */
export interface Contradiction {
  /** The parameter to change. */
  param: string
  message: string
}
