/** How often one caller may do something: `count` times in `windowS` seconds. */
export interface RateLimit {
  /** Names the limit in headers and in stored keys. */
  name: string
  count: number
  windowS: number
  /**
   * Counts in the memory of each node while nothing can be stored. For a limit that bounds load:
   * one that guards a secret counts in the space that is kept for it, or refuses.
   */
  countsWithoutSpace?: boolean
}
