import { isObject, keysOf, type Sent, type SentObject, valuesOf } from './json.ts'
import { createNames } from './names.ts'

/** The fields of one response or item, in the order sent: `values[i]` is that of `keys[i]`. */
export interface Flat {
  keys: readonly string[]
  values: readonly Sent[]
}

/** Nested objects become dotted keys. A list is one value, and an empty object none. */
export function flatten(object: SentObject): Flat {
  const keys = keysOf(object)
  const values = valuesOf(object)
  return values.some(isObject) ? flattenNested(object) : { keys, values }
}

function flattenNested(object: SentObject): Flat {
  const keys: string[] = []
  const values: Sent[] = []
  const claim = createNames()
  function walk(members: SentObject, prefix: string): void {
    const nested = valuesOf(members)
    for (const [i, key] of keysOf(members).entries()) {
      const value = nested[i]!
      if (isObject(value)) {
        walk(value, `${prefix}${key}.`)
      } else {
        keys.push(claim(prefix + key))
        values.push(value)
      }
    }
  }
  walk(object, '')
  return { keys, values }
}
