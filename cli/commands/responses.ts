import { answersOf, type JsonValue, type Output } from '../../src/client/index.ts'
import { argsOf, type Call } from '../command.ts'
import { oneLine, printable, type Row, tabbed, table } from '../output.ts'
import { pageId } from '../page.ts'
import { isTerminal } from '../terminal.ts'

type Report = Output<'listResponses'>['data']

const SHOWN = 20
const CELL_CHARS = 30
const COLUMNS = 4
/** Columns that no field may take the place of. */
const OWN_COLUMNS = ['sent', 'who']

export async function run(call: Call): Promise<void> {
  const [name = ''] = argsOf(call, ['PAGE'])
  const { since, explode, csv } = call.flags
  const query = {
    id: await pageId(call, name),
    ...(typeof since === 'string' && { since }),
    ...(typeof explode === 'string' && { explode }),
  }
  if (csv === true) return printCsv(call, query)
  const report = await wholeReport(call, query)
  call.print(report, isTerminal() ? shown(report) : tabbed(report.responses.map(plain)))
}

type Query = { id: string; since?: string; explode?: string }

/** As it comes, byte for byte; on a terminal without what could steer it. */
async function printCsv(call: Call, query: Query): Promise<void> {
  const answer = await call.client().listResponses({ ...query, format: 'csv' })
  if (call.asJson) return call.print({ csv: await answer.text() }, '')
  const decoder = new TextDecoder()
  for await (const bytes of answer.body as unknown as AsyncIterable<Uint8Array>) {
    const piece = isTerminal() ? printable(decoder.decode(bytes, { stream: true })) : bytes
    if (!process.stdout.write(piece)) {
      await new Promise((resolve) => process.stdout.once('drain', resolve))
    }
  }
}

/** Every response, under the summary of all. One that came in between shows up once. */
async function wholeReport(call: Call, query: Query): Promise<Report> {
  let first: Report | undefined
  const responses = new Map<string, Report['responses'][number]>()
  const rows = new Map<string, Report['rows'][number]>()
  const list = call.client().listResponses
  for await (const { data } of answersOf(list, { ...query, limit: 1000 })) {
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

/** For a person: what they say together, and the newest of them. */
function shown({ summary_text: summaryText, fields, responses }: Report): string {
  const columns = fields.filter(({ type }) => type !== 'rows').slice(0, COLUMNS)
  const rows = responses.slice(0, SHOWN).map((response) => {
    const values = response.values as Record<string, JsonValue>
    const cells = columns.map(({ key }) => [nameOf(key), cut(text(values[key]))])
    return { sent: response.submitted_at.slice(0, 16), who: who(response), ...entries(cells) }
  })
  const more = responses.length - rows.length
  const lines = [
    ...summaryText.map(oneLine),
    '',
    table(rows, 'Nobody has responded yet.'),
    ...(more > 0 ? [`${more} more: add --csv or --json.`] : []),
  ]
  return lines.join('\n').trimStart()
}
function nameOf(key: string): string {
  const name = cut(oneLine(key))
  return OWN_COLUMNS.includes(name) ? `values.${name}` : name
}
function entries(cells: (string | undefined)[][]): Row {
  return Object.fromEntries(cells) as Row
}

/** For programs: one line each, with what was sent as JSON. */
function plain(response: Report['responses'][number]): Row {
  const { id, submitted_at: submittedAt, values } = response
  return { id, submitted_at: submittedAt, who: who(response), values: JSON.stringify(values) }
}

/** What they call themselves never stands in the place of who they are. */
function who({ name, respondent }: Report['responses'][number]): string {
  return cut(oneLine(name === null ? respondent : `${respondent}: ${name}`))
}
function text(value: JsonValue | undefined): string {
  if (value === undefined) return ''
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value))
}
function cut(line: string): string {
  return line.length > CELL_CHARS ? `${line.slice(0, CELL_CHARS - 1)}…` : line
}
