/** What somebody does while another views a page. */
export interface Disturbance {
  name: string
  run(): Promise<unknown>
  /** Undoes it, so that the next round finds the same. */
  undo?(): Promise<unknown>
}
