import { flatten } from './flatten.ts'
import {
  displayText,
  type JsonObject,
  type JsonValue,
  parseStoredObject,
  writeJson,
} from './json.ts'
import { rowItems, type Split, type StoredResponse } from './split.ts'

/** The conditions that a response has to meet. */
export interface AnswerFilter {
  /** A part of an answer, a name or an address; empty for any. Case does not count. */
  search: string
  /** The values that fields must have, as text; of a list of values, one must be equal. */
  where: ReadonlyMap<string, readonly string[]>
}

/** @returns the response, with the items of the split list that match; null if it does not */
export type PickResponse = (response: StoredResponse) => StoredResponse | null

type Values = [key: string, value: JsonValue][]

/**
 * Picks the responses that match. Where a list is split, each item matches or not together with the
 * other answers of its response, which each of its rows repeats.
 */
export function createPick({ search, where }: AnswerFilter, split: Split | null): PickResponse {
  const query = search.toLowerCase()
  const hasWanted = (text: string) => text.toLowerCase().includes(query)

  function matches({ name, respondent }: StoredResponse, values: Values): boolean {
    const byKey = new Map(values)
    const hasAll = [...where].every(([key, texts]) => texts.every((text) => has(byKey, key, text)))
    if (!hasAll || query === '') return hasAll
    if (hasWanted(name ?? '') || hasWanted(respondent)) return true
    return values.some(([, value]) => hasWanted(displayText(value)))
  }

  return (response) => {
    const object = parseStoredObject(response.data)
    const own = valuesOf(object, (key) => key)
    const items = split === null ? [] : rowItems(object, split.key)
    if (split === null || items.length === 0) return matches(response, own) ? response : null
    const repeated = own.filter(([key]) => key !== split.key)
    const nameOf = (key: string) => split.row_fields[split.itemFieldIndexes.get(key) ?? -1]?.key
    const picked = items.flatMap(([at, item]) =>
      matches(response, [...repeated, ...valuesOf(item, nameOf)]) ? [at] : [],
    )
    const pickedItems = { key: split.key, indexes: new Set(picked) }
    return picked.length === 0 ? null : { ...response, pickedItems }
  }
}

function valuesOf(object: JsonObject, nameOf: (key: string) => string | undefined): Values {
  const { keys, values } = flatten(object)
  return keys.flatMap((key, at): Values => {
    const name = nameOf(key)
    return name === undefined ? [] : [[name, values[at]!]]
  })
}

function has(values: ReadonlyMap<string, JsonValue>, key: string, text: string): boolean {
  const value = values.get(key)
  if (Array.isArray(value)) return value.some((item) => textOf(item) === text)
  return value !== undefined && textOf(value) === text
}

/** Text as it is, anything else as JSON. */
function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : writeJson(value)
}
