import {
  isEmptyList,
  isObject,
  isObjectList,
  type JsonObject,
  type JsonValue,
  keysOf,
  valuesOf,
} from './json.ts'

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

/**
 * The item types of lists, by the key of their field: `rows` once a list had only objects, else
 * `multi`. It decides the type of a field whose lists have all been replaced by empty ones.
 */
export type ListTypes = ReadonlyMap<string, 'rows' | 'multi'>

/** Longer texts are not stored: pages choose the names of fields, and may invent them. */
const MAX_TEXT_LENGTH = 16 * 1024

export function listTypesIn(data: JsonObject): ListTypes {
  const { keys, values } = flatten(data)
  const types = new Map<string, 'rows' | 'multi'>()
  for (const [i, key] of keys.entries()) {
    const value = values[i]!
    if (!Array.isArray(value) || isEmptyList(value)) continue
    types.set(key, isObjectList(value) ? 'rows' : 'multi')
  }
  return types
}

/** A list of pairs: a key may be `__proto__`. */
export function parseListTypes(text: string): ListTypes {
  return new Map(JSON.parse(text))
}

/** @returns the text to store, or null if it says nothing that is not stored already */
export function addListTypes(text: string, listTypes: ListTypes): string | null {
  if (listTypes.size === 0) return null
  const types = new Map(parseListTypes(text))
  let isChanged = false
  for (const [key, type] of listTypes) {
    const itemType = types.get(key)
    if (itemType === 'rows' || itemType === type) continue
    types.set(key, type)
    isChanged = true
  }
  if (!isChanged) return null
  const added = JSON.stringify([...types])
  return added.length > MAX_TEXT_LENGTH ? null : added
}
