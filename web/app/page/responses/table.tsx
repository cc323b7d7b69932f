import { Trash2 } from 'lucide-preact'
import { count, formatNumber } from '../../../../src/model/numbers.ts'
import { NewMark } from '../../ui/arrivals.tsx'
import { IconButton } from '../../ui/button.tsx'
import { ScrollArea } from '../../ui/scroll-area.tsx'
import { Time } from '../../ui/time.tsx'
import type { Field, Report, ResponseRecord, Values } from './report.ts'
import { fieldName, memberOf, senderOf, TYPE_WORDS, valueText } from './values.ts'

/** The table shows no more columns: the others are in each response and in the download. */
const MAX_COLUMNS = 24
const MAX_CELL_CHARS = 300

interface ShownRow
  extends Pick<ResponseRecord, 'id' | 'name' | 'respondent' | 'submitted_at' | 'values'> {
  /** The position in the list that was split; null for a response. */
  item: number | null
}

export function rowsOfResponses(responses: readonly ResponseRecord[]): ShownRow[] {
  return responses.map((response) => ({ ...response, item: null }))
}

/** A row for each item of a list, and one for each response that has none: nobody is left out. */
export function rowsOfItems(
  items: Report['rows'],
  responses: readonly ResponseRecord[],
  listKey: string,
): ShownRow[] {
  const rows: ShownRow[] = items.map(({ response_id: id, ...rest }) => ({ ...rest, id }))
  const byResponse = Map.groupBy(rows, ({ id }) => id)
  const inOrder = rowsOfResponses(responses).flatMap((response) => {
    const own = byResponse.get(response.id)
    if (own !== undefined) return own
    return hasItems(memberOf(response.values, listKey)) ? [] : [withoutList(response, listKey)]
  })
  const ids = new Set(responses.map(({ id }) => id))
  return [...inOrder, ...rows.filter(({ id }) => !ids.has(id))]
}

/** Whether the list has an item, or will have once more rows are loaded. */
function hasItems(list: Values | undefined): boolean {
  return Array.isArray(list) && list.some((item) => Object.keys(item ?? {}).length > 0)
}

/** A field of the items may have the name of the list. */
function withoutList(row: ShownRow, listKey: string): ShownRow {
  const values = Object.entries(row.values ?? {}).filter(([key]) => key !== listKey)
  return { ...row, values: Object.fromEntries(values) }
}

interface TableProps {
  fields: readonly Field[]
  rows: readonly ShownRow[]
  openId: string | null
  hasItems: boolean
  isNew(at: string): boolean
  onOpen(id: string): void
  onDelete(row: ShownRow): void
}

export function ResponseTable({ fields, rows, ...rest }: TableProps) {
  const { openId, hasItems } = rest
  const columns = fields.slice(0, MAX_COLUMNS)
  return (
    <>
      <ScrollArea
        as="section"
        aria-label="Table of responses"
        className="max-h-[75dvh] scroll-p-2 overflow-auto rounded-card pb-1 border border-line"
      >
        <table aria-label="Responses" className="w-full border-separate border-spacing-0 text-13">
          <thead>
            <tr>
              <Heading name="Sent" />
              <Heading name="From" />
              {hasItems && <Heading name="Item" />}
              {columns.map((field) => (
                <Heading
                  key={field.key}
                  name={fieldName(field)}
                  note={TYPE_WORDS[field.type]}
                  isNumber={field.type === 'number'}
                />
              ))}
              {openId === null && (
                <th scope="col" className="sticky top-0 z-10 border-b border-line bg-paper">
                  <span className="sr-only">Actions</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={`${row.id} ${row.item}`} row={row} columns={columns} {...rest} />
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {fields.length > MAX_COLUMNS && (
        <p className="mt-2 text-13 text-muted">
          The first {MAX_COLUMNS} of {formatNumber(fields.length)} fields. A response that is opened
          shows all of its own, and the CSV file has all columns.
        </p>
      )}
    </>
  )
}

interface HeadingProps {
  name: string
  note?: string
  isNumber?: boolean
}

function Heading({ name, note, isNumber = false }: HeadingProps) {
  return (
    <th
      scope="col"
      className={`sticky top-0 z-10 border-b border-line bg-paper px-3 py-2 align-bottom font-medium ${isNumber ? 'text-right' : 'text-left'}`}
    >
      <bdi
        title={name}
        className={`block max-w-60 truncate ${isNumber ? 'ml-auto text-right' : ''}`}
      >
        {name}
      </bdi>
      {note && <span className="block text-12 font-normal text-muted">{note}</span>}
    </th>
  )
}

interface RowProps extends Omit<TableProps, 'fields' | 'rows'> {
  row: ShownRow
  columns: readonly Field[]
}

function Row({ row, columns, openId, hasItems, isNew, onOpen, onDelete }: RowProps) {
  const isOpen = row.id === openId
  const cell = 'border-b border-line px-3 py-2 align-top'
  return (
    <tr
      onClick={() => onOpen(row.id)}
      aria-current={isOpen ? 'true' : undefined}
      className="group cursor-pointer hover:bg-sunk aria-[current]:bg-sunk"
    >
      <td className={`${cell} whitespace-nowrap text-muted`}>
        <Time at={row.submitted_at} />
      </td>
      <td className={cell}>
        <span className="flex items-center gap-2">
          <button
            type="button"
            dir="auto"
            className="max-w-48 truncate text-left font-medium hover:underline"
            onClick={(event) => {
              event.stopPropagation()
              onOpen(row.id)
            }}
          >
            {senderOf(row)}
          </button>
          {isNew(row.submitted_at) && <NewMark />}
        </span>
      </td>
      {hasItems && <td className={`${cell} text-muted`}>{row.item ?? '–'}</td>}
      {columns.map((field) => (
        <td
          key={field.key}
          className={`${cell} ${field.type === 'number' ? 'text-right tabular-nums' : 'text-left'}`}
        >
          <Cell field={field} value={memberOf(row.values, field.key)} />
        </td>
      ))}
      {openId === null && (
        <td className="border-b border-line px-1.5 align-top">
          <IconButton
            label="Delete response"
            className="opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
            onClick={(event) => {
              event.stopPropagation()
              onDelete(row)
            }}
            icon={Trash2}
          />
        </td>
      )}
    </tr>
  )
}

function Cell({ field, value }: { field: Field; value: Values | undefined }) {
  if (value === undefined || value === null || value === '') {
    return <span className="text-muted">–</span>
  }
  const isList = field.type === 'rows' && Array.isArray(value)
  const text = isList ? count(value.length, 'item') : valueText(value)
  return (
    <bdi
      className={`line-clamp-2 w-max max-w-72 min-w-full overflow-hidden break-words ${isList ? 'text-muted' : ''}`}
    >
      {text.slice(0, MAX_CELL_CHARS)}
    </bdi>
  )
}
