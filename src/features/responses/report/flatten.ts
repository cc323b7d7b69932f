import { isObject, type JsonObject, type JsonValue, keysOf, valuesOf } from './json.ts'
import { createUniqueNames } from './unique-names.ts'

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
