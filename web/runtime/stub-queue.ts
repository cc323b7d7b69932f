/** What the stub, which each page contains, queues until the runtime has loaded. */

interface SubmitCall {
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

export type QueueItem = SubmitCall | FormSubmit
export type Handler = (item: QueueItem) => void

/** The key of the window's function by which the runtime receives the queue and all later items. */
export const CONNECT = Symbol.for('handbill.begin')

/**
 * The script tag of the runtime. A saved copy of a page contains it twice: first as served now,
 * then as saved, with the token of the viewer who saved it. Only the first one counts.
 */
export function runtimeScript(): HTMLScriptElement | null {
  return document.querySelector('script[src$="/~/runtime.js"]')
}

declare global {
  interface Window {
    Service: {
      submit(data: unknown, options?: { name?: unknown }): Promise<unknown>
    }
    [CONNECT]?: (handler: Handler) => void
  }
}
