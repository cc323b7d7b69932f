/** Between the stub, in the page from the start, and the runtime, which comes later. */

export interface Call {
  /** JSON text: what the page changes afterwards changes nothing here. */
  data: string
  name: unknown
  resolve(receipt: unknown): void
  reject(error: Error): void
}

export interface Submit {
  form: HTMLFormElement
  submitter: HTMLElement | null
}

export type Take = (item: Call | Submit) => void

/** Under which the window keeps how the runtime takes over. */
export const BEGIN = Symbol.for('handbill.begin')

declare global {
  interface Window {
    Service: {
      submit(data: unknown, options?: { name?: unknown }): Promise<unknown>
    }
    [BEGIN]?: (take: Take) => void
  }
}
