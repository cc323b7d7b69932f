import type { Row } from './fault.ts'

/** Counts what was checked of one thing, and notes what was wrong. */
export function newExpectations(fault: string, what: string) {
  const wrong: string[] = []
  let answered = 0
  return {
    /** @param problem what to say where it is not right */
    expect(problem: string, isRight: boolean): void {
      answered += 1
      if (!isRight) wrong.push(problem)
    },
    row: (): Row => ({ fault, what, answered, found: answered - wrong.length, wrong }),
  }
}
