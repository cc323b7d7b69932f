import type { Node } from './ask.ts'

/** One kind of work, done again and again while faults happen. */
export interface Activity {
  /** The name of its operations in the table. */
  readonly what: string
  /** The limit of its concurrent operations. */
  readonly workers: number
  /** Makes the data that the operations need, before the first fault. */
  prepare(node: Node): Promise<void>
  /** Does one operation, and records it if it is answered. @throws NoAnswer or Refused if not */
  act(node: Node): Promise<void>
  /** Compares the data of the server with its answers. */
  check(node: Node): Promise<Check>
}

export interface Check {
  /** Operations that were answered with success. */
  answered: number
  /** The answered operations whose effect is stored. */
  found: number
  /** Errors: contents that nobody sent, counts beyond a limit, duplicates. */
  wrong: string[]
}

/**
 * The steps of one thing that changes again and again. A step that got no answer may have been
 * carried out, so the thing may be one step ahead of what was answered.
 */
export class Steps {
  answered = 0
  sent = 0

  /** Sends the next step, or the one before once more if that got no answer. */
  async take(send: (step: number) => Promise<void>): Promise<void> {
    if (this.sent === this.answered) this.sent += 1
    const step = this.sent
    await send(step)
    this.answered = step
  }
  /** @param count the step that the server has; 0 where there is none */
  check(count: number, what: string): Check {
    const wrong = count > this.sent ? [`${what} has step ${count}, ${this.sent} were sent`] : []
    return { answered: this.answered, found: Math.min(count, this.answered), wrong }
  }
}

export function sumOf(checks: readonly Check[]): Check {
  return {
    answered: checks.reduce((sum, { answered }) => sum + answered, 0),
    found: checks.reduce((sum, { found }) => sum + found, 0),
    wrong: checks.flatMap(({ wrong }) => wrong),
  }
}
