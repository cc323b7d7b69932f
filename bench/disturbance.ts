/** An action of another user while a page is viewed. */
export interface Disturbance {
  name: string
  run(): Promise<unknown>
  /** Undoes it, so that the next round starts from the same state. */
  undo?(): Promise<unknown>
}

/** How much there is of it. */
export interface Scale {
  responses: number
  comments: number
  uploadBytes: number
  /** The server sweeps once a minute, which takes as long to wait for. */
  hasSweep: boolean
}
