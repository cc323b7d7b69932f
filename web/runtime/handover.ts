/** What the stub, in the page from the start, hands to the runtime, which loads later. */

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

/** The window's function by which the runtime takes over what the stub has queued. */
export const BEGIN = Symbol.for('handbill.begin')

declare global {
  interface Window {
    Service: {
      submit(data: unknown, options?: { name?: unknown }): Promise<unknown>
    }
    [BEGIN]?: (take: Take) => void
  }
}
