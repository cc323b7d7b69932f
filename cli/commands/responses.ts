import { type JsonValue, type Output, paginate } from '../../src/client/index.ts'
import { type CommandContext, positionalArgs } from '../command.ts'
import { oneLine, type Row, table, tabSeparated, writeFile } from '../output.ts'
import { resolvePageId } from '../page.ts'
import { isTerminal } from '../terminal.ts'
import { parsePast } from '../times.ts'

type Report = Output<'listResponses'>['data']

const SHOWN_ROWS = 20
const CELL_CHARS = 30
const FIELD_COLUMNS = 4
/** Columns of our own. A field with such a name gets a prefix. */
const OWN_COLUMNS = ['sent', 'who']

export async function run(context: CommandContext): Promise<void> {
  const [name = ''] = positionalArgs(context, ['PAGE'])
  const { since, explode, csv } = context.flags
  const query = {
    id: await resolvePageId(context, name),
    ...(typeof since === 'string' && { since: parsePast('since', since, Date.now()) }),
    ...(typeof explode === 'string' && { explode }),
  }
  if (csv === true) return printCsv(context, query)
  const report = await fetchReport(context, query)
  context.print(
    report,
    isTerminal() ? formatForPeople(report) : tabSeparated(report.responses.map(toRow)),
  )
}

type Query = { id: string; since?: string; explode?: string }

async function printCsv(context: CommandContext, query: Query): Promise<void> {
  const response = await context.client().listResponses({ ...query, format: 'csv' })
  if (context.asJson) return context.print({ csv: await response.text() }, '')
  await writeFile(response.body as unknown as AsyncIterable<Uint8Array>)
}

/** Reads all pages of the report. A response that shifts to a later page is not repeated. */
async function fetchReport(context: CommandContext, query: Query): Promise<Report> {
  let first: Report | undefined
  const responses = new Map<string, Report['responses'][number]>()
  const rows = new Map<string, Report['rows'][number]>()
  const list = context.client().listResponses
  for await (const { data } of paginate(list, { ...query, limit: 1000 })) {
    first ??= data
    for (const response of data.responses) responses.set(response.id, response)
    for (const row of data.rows) rows.set(`${row.response_id} ${row.item}`, row)
  }
  return {
    ...first!,
    responses: [...responses.values()],
    rows: [...rows.values()],
    next_offset: null,
  }
}

/** Formats the summary and the newest responses for people. */
function formatForPeople({ summary_text: summaryText, fields, responses }: Report): string[] {
  const columns = fields.filter(({ type }) => type !== 'rows').slice(0, FIELD_COLUMNS)
  const rows = responses.slice(0, SHOWN_ROWS).map((response) => {
    const values = response.values as Record<string, JsonValue>
    const cells = columns.map(({ key }) => [columnName(key), truncate(cellText(values[key]))])
    const sent = response.submitted_at.slice(0, 16)
    return { sent, who: respondentName(response), ...Object.fromEntries(cells) }
  })
  const remaining = responses.length - rows.length
  return [
    ...(summaryText.length > 0 ? [...summaryText.map(oneLine), ''] : []),
    ...table(rows, 'Nobody has responded yet.'),
    ...(remaining > 0 ? [`${remaining} more: add --csv or --json.`] : []),
  ]
}
function columnName(key: string): string {
  const name = truncate(oneLine(key))
  return OWN_COLUMNS.includes(name) ? `values.${name}` : name
}

/** Formats a response for programs, with its values as JSON. */
function toRow(response: Report['responses'][number]): Row {
  const { id, submitted_at: submittedAt, values } = response
  return {
    id,
    submitted_at: submittedAt,
    who: respondentName(response),
    values: JSON.stringify(values),
  }
}

/** A name that the respondent chose is shown after the name we gave, never instead of it. */
function respondentName({ name, respondent }: Report['responses'][number]): string {
  return truncate(oneLine(name === null ? respondent : `${respondent}: ${name}`))
}
function cellText(value: JsonValue | undefined): string {
  if (value === undefined) return ''
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value))
}
function truncate(line: string): string {
  return line.length > CELL_CHARS ? `${line.slice(0, CELL_CHARS - 1)}…` : line
}
