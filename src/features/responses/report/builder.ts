import type { FormControl } from '../../../model/form.ts'
import { type Field, MAX_FIELDS, type ResponseReport } from '../contract.ts'
import { describeColumn } from './column-statistics.ts'
import { flatten } from './flatten.ts'
import {
  isEmptyList,
  isObjectList,
  itemsOf,
  type JsonObject,
  keysOf,
  parseStoredObject,
  valuesOf,
} from './json.ts'
import {
  addItems,
  createListTable,
  isPicked,
  type ListTable,
  type Split,
  type StoredResponse,
  splitRows,
} from './split.ts'
import {
  addToTable,
  createTable,
  type FieldBudget,
  maxSampleCharsOf,
  summaryText,
  type Table,
} from './table.ts'

/** The part of the API's report about all matched responses together. */
export interface Report
  extends Pick<ResponseReport, 'total' | 'fields' | 'summaries' | 'summary_text' | 'explodable'> {
  /** The index in `fields` of each key. */
  fieldIndexes: ReadonlyMap<string, number>
  /** The fields that a split repeats on each row: all but lists of objects. */
  repeatedFields: readonly Field[]
  repeatedFieldIndexes: ReadonlyMap<string, number>
  /** Top-level keys that have only empty lists, so that the type of their items is unknown. */
  emptyLists: ReadonlySet<string>
  /** Splits by a key in `explodable`; the result is computed once. */
  split(key: string): Split
}

/**
 * Builds a report in one pass over the responses, without holding them in memory.
 *
 * @param publishedControls the form controls in the published HTML
 * @param typeElsewhere the type that a key has, or had, in responses beside these
 */
export function createReportBuilder(
  publishedControls: readonly FormControl[],
  typeElsewhere: TypeElsewhere = () => undefined,
) {
  const controls = createControlIndex(publishedControls)
  const budget: FieldBudget = { remaining: MAX_FIELDS }
  const table = createTable(controls.findPublished, budget)
  const lists = new Map<string, ListTable>()
  const emptyLists = new Set<string>()
  let total = 0

  function addLists(object: JsonObject, { respondent, pickedItems }: StoredResponse): void {
    const values = valuesOf(object)
    for (const [i, key] of keysOf(object).entries()) {
      const value = values[i]!
      // A list beyond MAX_FIELDS has no column, so the number of lists is bounded too.
      if (!Array.isArray(value) || !table.columns.has(key)) continue
      if (isEmptyList(value)) emptyLists.add(key)
      if (!isObjectList(value)) continue
      const list = lists.getOrInsertComputed(key, () =>
        createListTable(key, controls.findPublished, budget),
      )
      const picked = itemsOf(value).filter(([at]) => isPicked(pickedItems, key, at))
      const items = picked.map(([, item]) => item)
      addItems(list, items, { index: total, respondent })
    }
  }

  return {
    /** Adds a response; in order of `created_at`, oldest first. */
    add(response: StoredResponse) {
      const { data, respondent, controls: sentControls } = response
      const object = parseStoredObject(data)
      addToTable(table, flatten(object), respondent)
      addLists(object, response)
      controls.addSent(sentControls)
      total += 1
    },
    /** Call it once, after the last response. */
    build() {
      for (const key of emptyLists) {
        if (table.columns.get(key)!.answered > 0) emptyLists.delete(key)
        else if (typeElsewhere(key) === 'rows' && !lists.has(key)) {
          lists.set(key, createListTable(key, controls.findPublished, budget))
        }
      }
      const findControl = controls.find
      return buildReport(table, lists, { total, emptyLists, findControl, typeElsewhere })
    },
  }
}
export type ReportBuilder = ReturnType<typeof createReportBuilder>

type TypeElsewhere = (key: string) => Field['type'] | undefined

interface ReportFacts {
  total: number
  emptyLists: ReadonlySet<string>
  findControl: ControlIndex['find']
  typeElsewhere: TypeElsewhere
}

function buildReport(
  table: Table,
  lists: ReadonlyMap<string, ListTable>,
  { total, emptyLists, findControl, typeElsewhere }: ReportFacts,
): Report {
  const maxSampleChars = maxSampleCharsOf(table)
  const described = table.columnOrder.map((column) =>
    describeColumn(column, findControl(column.key), {
      maxSampleChars,
      typeIfEmpty: typeElsewhere(column.key),
    }),
  )
  const fields = described.map(({ field }) => field)
  const summaries = described.map(({ summary }) => summary)
  const repeatedFields = fields.filter(({ type }) => type !== 'rows')
  return {
    total,
    fields,
    summaries,
    summary_text: summaries.map(summaryText),
    explodable: fields.flatMap(({ type, key }) => (type === 'rows' && lists.has(key) ? key : [])),
    fieldIndexes: indexesOf(fields),
    emptyLists,
    repeatedFields,
    repeatedFieldIndexes: indexesOf(repeatedFields),
    split: createSplit(lists, { fields, total, findControl }),
  }
}

/** A function of its own, so that a cached report holds the lists and not every column. */
function createSplit(
  lists: ReadonlyMap<string, ListTable>,
  report: Parameters<typeof splitRows>[1],
): Report['split'] {
  const splits = new Map<string, Split>()
  return (key) => splits.getOrInsertComputed(key, () => splitRows(lists.get(key)!, report))
}

function createControlIndex(publishedControls: readonly FormControl[]) {
  const published = new Map(publishedControls.map((control) => [control.name, control]))
  const extras = new Map<string, FormControl>()
  let lastAdded: readonly FormControl[] | null = null

  return {
    findPublished: (name: string) => published.get(name),
    /** The published control of that name, else the newest one that came with a response. */
    find: (name: string) => published.get(name) ?? extras.get(name),
    /** Adds the controls that came with a response. */
    addSent(controls: readonly FormControl[] | null) {
      if (controls === null || controls === lastAdded) return
      for (const control of controls) {
        if (extras.size < MAX_FIELDS || extras.has(control.name)) extras.set(control.name, control)
      }
      lastAdded = controls
    },
  }
}
type ControlIndex = ReturnType<typeof createControlIndex>

function indexesOf(fields: readonly Field[]): Map<string, number> {
  return new Map(fields.map(({ key }, index) => [key, index]))
}
