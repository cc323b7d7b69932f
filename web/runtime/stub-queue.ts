/** What the stub, which each page contains, queues until the runtime has loaded. */

export interface SubmitCall {
  /** JSON text, so that later changes of the object have no effect. */
  data: string
  name: unknown
  resolve(receipt: unknown): void
  reject(error: Error): void
}

export interface FormSubmit {
  form: HTMLFormElement
  submitter: HTMLElement | null
}

export type Handler = (item: SubmitCall | FormSubmit) => void

/** The key of the window's function by which the runtime receives the queue and all later items. */
export const CONNECT = Symbol.for('handbill.begin')

declare global {
  interface Window {
    Service: {
      submit(data: unknown, options?: { name?: unknown }): Promise<unknown>
    }
    [CONNECT]?: (handler: Handler) => void
  }
}
