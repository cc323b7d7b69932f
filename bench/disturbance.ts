/** An action of another user while a page is viewed. */
export interface Disturbance {
  name: string
  run(): Promise<unknown>
  /** Undoes it, so that the next round starts from the same state. */
  undo?(): Promise<unknown>
}
