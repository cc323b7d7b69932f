import { JsonText } from '../../../model/json-text.ts'
import type { ResponseRecord, Row } from '../contract.ts'
import type { Digest } from './digest.ts'
import { flatten } from './flatten.ts'
import { readObject, type SentObject, writeMember, writeObject } from './json.ts'
import { rowsOf, type Split } from './split.ts'
import type { StoredResponse } from './stored.ts'

export function presentResponse(response: StoredResponse, digest: Digest): ResponseRecord {
  const { data, controls: _, ...record } = response
  const values = membersOf(readObject(data), keptIn(digest.places))
  return { ...record, values: new JsonText(writeObject(values)), data: new JsonText(data) }
}

/** A row for each item of the list, in its order. */
export function presentRows(response: StoredResponse, digest: Digest, split: Split): Row[] {
  const { id, respondent, name, submitted_at: submittedAt } = response
  const object = readObject(response.data)
  const copied = membersOf(object, keptIn(digest.copiedPlaces)).join()
  return rowsOf(object, split.key).map((item, i) => {
    const own = membersOf(item, (key) => split.row_fields[split.itemPlaces.get(key) ?? -1]?.key)
    // Put together, not joined: rows then share what is copied instead of holding it each.
    const values = new JsonText(`{${copied}${copied && own.length > 0 ? ',' : ''}${own.join()}}`)
    return { response_id: id, respondent, name, submitted_at: submittedAt, item: i + 1, values }
  })
}

function keptIn(places: ReadonlyMap<string, number>) {
  return (key: string) => (places.has(key) ? key : undefined)
}

/** As JSON, of the fields that have a name. */
function membersOf(object: SentObject, nameOf: (key: string) => string | undefined): string[] {
  const { keys, values } = flatten(object)
  return keys.flatMap((key, i) => {
    const name = nameOf(key)
    return name === undefined ? [] : [writeMember(name, values[i]!)]
  })
}
