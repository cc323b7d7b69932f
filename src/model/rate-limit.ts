/** How often one caller may do something: `count` times in `windowS` seconds. */
export interface RateLimit {
  /** Names the limit in headers and in stored keys. */
  name: string
  count: number
  windowS: number
}
