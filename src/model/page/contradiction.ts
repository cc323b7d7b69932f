/** Settings that are valid one by one, but not together. */
export interface Contradiction {
  /** The parameter to change. */
  param: string
  message: string
}
