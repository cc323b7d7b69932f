import { JsonText } from '../../../model/json-text.ts'
import type { ResponseRecord, Row } from '../contract.ts'
import type { Report } from './builder.ts'
import { flatten } from './flatten.ts'
import { type JsonObject, writeMember, writeObject } from './json.ts'
import { parseStoredObject } from './parser.ts'
import { isPicked, rowItems, type Split } from './split.ts'
import type { StoredResponse } from './stored-response.ts'

export function presentResponse(response: StoredResponse, report: Report): ResponseRecord {
  const { data, controls: _, pickedItems: __, ...record } = response
  const members = writeMembers(parseStoredObject(data), ifIndexed(report.fieldIndexes))
  return { ...record, values: new JsonText(writeObject(members)), data: new JsonText(data) }
}

/** One row for each item of the list, in the order sent. */
export function presentRows(response: StoredResponse, report: Report, split: Split): Row[] {
  const { id, respondent, name, submitted_at } = response
  const object = parseStoredObject(response.data)
  const repeated = writeMembers(object, ifIndexed(report.repeatedFieldIndexes)).join()
  const fieldKey = (key: string) => split.row_fields[split.itemFieldIndexes.get(key) ?? -1]?.key
  return rowItems(object, split.key).flatMap(([at, item]) => {
    if (!isPicked(response.pickedItems, split.key, at)) return []
    const own = writeMembers(item, fieldKey)
    const separator = repeated && own.length > 0 ? ',' : ''
    // A concatenation: rows then share the memory of `repeated`, which `join` would copy.
    const values = new JsonText(`{${repeated}${separator}${own.join()}}`)
    return [{ response_id: id, respondent, name, submitted_at, item: at + 1, values }]
  })
}

function ifIndexed(indexes: ReadonlyMap<string, number>) {
  return (key: string) => (indexes.has(key) ? key : undefined)
}

/** Writes the object's fields as JSON members, except those for which `nameOf` has no name. */
function writeMembers(object: JsonObject, nameOf: (key: string) => string | undefined): string[] {
  const { keys, values } = flatten(object)
  return keys.flatMap((key, i) => {
    const name = nameOf(key)
    return name === undefined ? [] : [writeMember(name, values[i]!)]
  })
}
