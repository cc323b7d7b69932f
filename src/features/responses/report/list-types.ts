import { flatten } from './flatten.ts'
import { isEmptyList, isObjectList, type JsonObject } from './json.ts'

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
export function addListTypes(text: string, seen: ListTypes): string | null {
  if (seen.size === 0) return null
  const types = new Map(parseListTypes(text))
  let isChanged = false
  for (const [key, type] of seen) {
    const known = types.get(key)
    if (known === 'rows' || known === type) continue
    types.set(key, type)
    isChanged = true
  }
  if (!isChanged) return null
  const added = JSON.stringify([...types])
  return added.length > MAX_TEXT_LENGTH ? null : added
}
