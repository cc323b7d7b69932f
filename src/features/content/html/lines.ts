/**
 * Finds the lines of ascending positions, in one pass over the text.
 * @param findNewline the position of the next line feed at or after `from`, or -1
 * @param firstLine the line where the text starts
 * @returns the line of a position, which is not before the last one
 */
export function createLineCounter(
  findNewline: (from: number) => number,
  firstLine = 1,
): (position: number) => number {
  let line = firstLine
  let next = findNewline(0)
  return (position) => {
    while (next >= 0 && next < position) {
      line++
      next = findNewline(next + 1)
    }
    return line
  }
}
