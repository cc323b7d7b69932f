import { isObject, type JsonObject, type JsonValue, keysOf, valuesOf } from './json.ts'

/** The fields of one response or list item in the order sent: `values[i]` belongs to `keys[i]`. */
export interface FlatObject {
  keys: readonly string[]
  values: readonly JsonValue[]
}

/** Nested objects become dotted keys. A list is one value; an empty object has none. */
export function flatten(object: JsonObject): FlatObject {
  const keys = keysOf(object)
  const values = valuesOf(object)
  return values.some(isObject) ? flattenNested(object) : { keys, values }
}

function flattenNested(object: JsonObject): FlatObject {
  const keys: string[] = []
  const values: JsonValue[] = []
  const claimName = createUniqueNames()
  function walk(members: JsonObject, prefix: string): void {
    const memberValues = valuesOf(members)
    for (const [i, key] of keysOf(members).entries()) {
      const value = memberValues[i]!
      if (isObject(value)) {
        walk(value, `${prefix}${key}.`)
      } else {
        keys.push(claimName(prefix + key))
        values.push(value)
      }
    }
  }
  walk(object, '')
  return { keys, values }
}

/** Returns a function that makes names unique: the second `a` becomes `a (2)`, and so on. */
export function createUniqueNames(usedNames: Iterable<string> = []): (name: string) => string {
  /** The last number tried for each name, so that many equal names take linear time. */
  const lastNumbers = new Map<string, number>()
  for (const name of usedNames) lastNumbers.set(name, 1)

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
