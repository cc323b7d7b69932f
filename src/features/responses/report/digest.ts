import type { FormControl } from '../../../model/form.ts'
import { type Field, MAX_FIELDS, type Summary } from '../contract.ts'
import { describe } from './column.ts'
import { flatten } from './flatten.ts'
import { isRows, keysOf, readObject, valuesOf } from './json.ts'
import { addItems, createList, type List, type Split, splitBy } from './split.ts'
import type { StoredResponse } from './stored.ts'
import { summaryText } from './summary-text.ts'
import { addToTable, createTable, type FieldBudget, sampleChars } from './table.ts'

/** What all responses have in common. */
export interface Digest {
  total: number
  fields: Field[]
  summaries: Summary[]
  summary_text: string[]
  explodable: string[]
  /** Where in `fields` a key is. */
  places: ReadonlyMap<string, number>
  /** The fields that a split copies onto each row, and where among them a key is. */
  copied: readonly Field[]
  copiedPlaces: ReadonlyMap<string, number>
  /** Of a key in `explodable`. */
  split(key: string): Split
}

export interface Collector {
  /** In order of `created_at`, oldest first. */
  add(response: StoredResponse): void
  /** Once, after the last. */
  finish(): Digest
}

/** Reads each response once, and holds none of them. `controls`: of the published HTML. */
export function createDigest(controls: readonly FormControl[]): Collector {
  const controlled = createControls(controls)
  const budget: FieldBudget = { left: MAX_FIELDS }
  const table = createTable(controlled.findPublished, budget)
  const lists = new Map<string, List>()
  let total = 0

  function add(response: StoredResponse): void {
    const object = readObject(response.data)
    addToTable(table, flatten(object), response.respondent)
    const values = valuesOf(object)
    for (const [i, key] of keysOf(object).entries()) {
      const value = values[i]!
      // Beyond the last field there are no lists either, so that names end here too.
      if (!isRows(value) || !table.columns.has(key)) continue
      const list = lists.get(key) ?? createList(key, controlled.findPublished, budget)
      lists.set(key, list)
      addItems(list, value, { place: total, respondent: response.respondent })
    }
    controlled.say(response.controls)
    total += 1
  }

  function finish(): Digest {
    const maxSampleChars = sampleChars(table)
    const described = table.order.map((column) =>
      describe(column, controlled.find(column.key), maxSampleChars),
    )
    const fields = described.map(({ field }) => field)
    const summaries = described.map(({ summary }) => summary)
    const rows = fields.filter(({ type }) => type === 'rows')
    const copied = fields.filter(({ type }) => type !== 'rows')
    return {
      total,
      fields,
      summaries,
      summary_text: summaries.map(summaryText),
      explodable: rows.map(({ key }) => key).filter((key) => lists.has(key)),
      places: placesOf(fields),
      copied,
      copiedPlaces: placesOf(copied),
      split: splitter(lists, { fields, total, findControl: controlled.find }),
    }
  }

  return { add, finish }
}

/** By itself, so that a digest that is kept holds on to lists alone, not to every column. */
function splitter(lists: ReadonlyMap<string, List>, about: Parameters<typeof splitBy>[1]) {
  return (key: string) => splitBy(lists.get(key)!, about)
}

/** What is published comes before what the newest response said. */
function createControls(controls: readonly FormControl[]) {
  const published = new Map(controls.map((control) => [control.name, control]))
  const said = new Map<string, FormControl>()
  let last: readonly FormControl[] | null = null

  function say(controls: readonly FormControl[] | null): void {
    if (controls === null || controls === last) return
    for (const control of controls) {
      if (said.size < MAX_FIELDS || said.has(control.name)) said.set(control.name, control)
    }
    last = controls
  }

  const findPublished = (name: string) => published.get(name)
  const find = (name: string) => published.get(name) ?? said.get(name)
  return { say, find, findPublished }
}

function placesOf(fields: readonly Field[]): Map<string, number> {
  return new Map(fields.map(({ key }, place) => [key, place]))
}
