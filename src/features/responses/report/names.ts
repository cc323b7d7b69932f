/** Gives each name once: who comes later with the same gets ` (2)`, ` (3)`, … after it. */
export function createNames(taken: Iterable<string> = []): (name: string) => string {
  /** The number last tried for a name: so many of one name stay cheap. */
  const tried = new Map<string, number>()
  for (const name of taken) tried.set(name, 1)

  return function claim(name) {
    let number = tried.get(name) ?? 0
    let free = name
    while (tried.has(free)) {
      number += 1
      free = `${name} (${number})`
    }
    tried.set(name, number)
    tried.set(free, 1)
    return free
  }
}
