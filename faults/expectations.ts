import type { Row } from './fault.ts'

/** Counts the checks of one thing, and records those that failed. */
export function newExpectations(fault: string, what: string) {
  const wrong: string[] = []
  let answered = 0
  return {
    /** @param problem the message if the check fails */
    expect(problem: string, isRight: boolean): void {
      answered += 1
      if (!isRight) wrong.push(problem)
    },
    row: (): Row => ({ fault, what, answered, found: answered - wrong.length, wrong }),
  }
}
