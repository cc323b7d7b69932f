/** Returns a function that makes names unique: the second `a` becomes `a (2)`, and so on. */
export function createUniqueNames(taken: Iterable<string> = []): (name: string) => string {
  /** The last number tried for each name, so that many equal names take linear time. */
  const lastNumbers = new Map<string, number>()
  for (const name of taken) lastNumbers.set(name, 1)

  return function claim(name) {
    let number = lastNumbers.get(name) ?? 0
    let unique = name
    while (lastNumbers.has(unique)) {
      number += 1
      unique = `${name} (${number})`
    }
    lastNumbers.set(name, number)
    lastNumbers.set(unique, 1)
    return unique
  }
}
