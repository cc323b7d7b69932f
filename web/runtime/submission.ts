import type { FormControl } from '../../src/model/form.ts'

export type { Receipt } from '../../src/features/responses/contract.ts'

export const UNREACHABLE = 'This could not be sent. Check the connection and send again.'

/** For a form, whose submission goes on waiting. */
export const UNANSWERED =
  'This is not sent yet. It is kept while the page stays open, and sent once there is a connection.'

/** The body of a request, without the token that identifies the viewer. */
export interface Submission {
  /** The source token of the script: it identifies the file and version of the page. */
  stamp: string
  /** The same for every attempt, so that the server stores a submission once. */
  id: string
  /** JSON text, in which the order of the keys is preserved. */
  data: string
  /** The name that the viewer gives. */
  name?: string
  controls: FormControl[]
  /** The value of the honeypot, which only bots fill in. */
  trap?: string
}

/** The part of a submission that comes from a form or a script. */
export type Payload = Pick<Submission, 'data' | 'controls' | 'name' | 'trap'>

export interface Answer {
  /** The HTTP status; 0 if there was no answer. */
  status: number
  retry_after_s: number | null
  /** The parsed JSON; null for any other body. */
  body: unknown
}

export type Send = (submission: Submission) => Promise<Answer>

/** The key of the window's function that sends through the shell, in a framed page. */
export const SHELL_SEND = Symbol.for('handbill.send')

/** Why a submission failed: `code` is for programs, the message for people. */
export type SubmitError = Error & { code: string }

export function submitError(code: string, message: string): SubmitError {
  return Object.assign(new Error(message), { code })
}
