import type { FormControl } from '../../src/model/form.ts'

/** What goes to the server, but for the token that says who sends it. */
export interface Submission {
  /** Of the page's script: which file of which version this is. */
  stamp: string
  /** The same at every try, so that the server takes one submission once. */
  id: string
  /** JSON text: the server keeps the order of its keys. */
  data: string
  /** What they call themselves. */
  name?: string
  controls: FormControl[]
  /** What stood in the honeypot: only programs fill it in. */
  trap?: string
}

/** Of a submission, what a form or a script gives; the runtime adds the rest. */
export type Payload = Pick<Submission, 'data' | 'controls' | 'name' | 'trap'>

/** What came back. */
export interface Answer {
  /** Of HTTP; 0 where nothing came back. */
  status: number
  retry_after_s: number | null
  /** As JSON says; null where it was none. */
  body: unknown
}

export type Send = (submission: Submission) => Promise<Answer>

export interface Receipt {
  id: string
  submitted_at: string
  submit_count: number
}

/** Under which the first script of a framed page offers to send through the shell. */
export const SEND = Symbol.for('handbill.send')
