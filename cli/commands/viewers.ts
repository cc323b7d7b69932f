import { type JsonValue, type Output, paginate } from '../../src/client/index.ts'
import { decisionWords } from '../../src/model/decision.ts'
import { count } from '../../src/model/numbers.ts'
import { type CommandContext, textOf } from '../command.ts'
import { oneLine, type Row, table, truncate, writeFile } from '../output.ts'
import { getPage, resolvePageId } from '../page.ts'
import { printStatus } from '../terminal.ts'
import { parseFuture, parsePast } from '../times.ts'

type ApprovalReport = Output<'getApprovals'>['data']
type Approver = ApprovalReport['approvers'][number]

const NO_APPROVERS =
  'The page has no approvers: handbill update PAGE --collect-approvals --approver EMAIL'

export async function showApprovals(context: CommandContext): Promise<void> {
  const id = await resolvePageId(context)
  const client = context.client()
  if (context.flags.record === true) {
    const file = await client.getApprovalRecord({ id })
    return printFile(context, file, (text) => ({ record: text.trim() }))
  }
  const { data: report } = await client.getApprovals({ id })
  const rows = report.approvers.map((approver) => ({
    approver: approver.email,
    decision: describeDecision(approver, report.version_no),
    at: approver.decided_at?.slice(0, 16) ?? '',
    note: oneLine(approver.note),
  }))
  context.printRows(report, rows, () => [...describeCounts(report), ...table(rows, NO_APPROVERS)])
}

/** Mails approvers for their decision. */
export async function requestApprovals(context: CommandContext): Promise<void> {
  const { to, message, due } = context.flags
  const { id } = await getPage(context)
  const { data } = await context.client().requestApprovals({
    id,
    emails: Array.isArray(to) ? to : undefined,
    message: textOf(message),
    due_at: parseFuture('due', due),
  })
  const { not_admitted, sends_mails: sendsMails } = data
  const rows = [
    ...data.asked.map(({ email }) => ({
      approver: email,
      state: sendsMails ? 'mailed' : 'not mailed',
    })),
    ...not_admitted.map((email) => ({ approver: email, state: 'may not open the page' })),
  ]
  context.printRows(data, rows, 'Nobody is awaited.')
  if (sendsMails || data.asked.length === 0) return
  printStatus('Mail is not set up on this server: pass a link on to each.')
  for (const { email } of data.asked) {
    const link = await context.client().makePersonalLink({ id, email, purpose: 'approve' })
    printStatus(`${oneLine(email)}: ${link.data.url}`)
  }
}

/** Prints a file as it is; with --json, as the value that is made of its text. */
async function printFile(
  context: CommandContext,
  file: Response,
  resultOf: (text: string) => object,
): Promise<void> {
  if (context.asJson) return context.print(resultOf(await file.text()), '')
  await writeFile(file.body as unknown as AsyncIterable<Uint8Array>)
}

function describeCounts({ collecting, counts, approvers }: ApprovalReport): string[] {
  if (approvers.length === 0) return []
  const { approved, changes_requested, waiting } = counts
  const off = collecting ? '' : ' (approvals are off now)'
  return [
    `${approved} approved, ${changes_requested} request changes, ${waiting} waiting${off}`,
    '',
  ]
}

function describeDecision(approver: Approver, versionNo: number | null): string {
  const { decision, version_no, is_current } = approver
  if (decision === null) return 'waiting'
  const now = is_current || versionNo === null ? '' : `, now ${versionNo}`
  return decisionWords(decision, version_no!) + now
}

type Report = Output<'listResponses'>['data']

const SHOWN_ROWS = 20
const CELL_CHARS = 30
const FIELD_COLUMNS = 4
/** Columns of our own. A field with such a name gets a prefix. */
const OWN_COLUMNS = ['sent', 'who']

export async function listResponses(context: CommandContext): Promise<void> {
  const { since, explode, csv } = context.flags
  const query = {
    id: await resolvePageId(context),
    since: parsePast('since', since),
    explode: textOf(explode),
  }
  if (csv === true) {
    const file = await context.client().listResponses({ ...query, format: 'csv' })
    return printFile(context, file, (text) => ({ csv: text }))
  }
  const report = await fetchReport(context, query)
  context.printRows(report, report.responses.map(toRow), () => formatForPeople(report))
}

type Query = { id: string; since?: string | undefined; explode?: string | undefined }

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

function formatForPeople({ summary_text, fields, responses }: Report): string[] {
  const columns = fields.filter(({ type }) => type !== 'rows').slice(0, FIELD_COLUMNS)
  const rows = responses.slice(0, SHOWN_ROWS).map((response) => {
    const values = response.values as Record<string, JsonValue>
    const cells = columns.map(({ key }) => [
      columnName(key),
      truncate(cellText(values[key]), CELL_CHARS),
    ])
    const sent = response.submitted_at.slice(0, 16)
    return { sent, who: respondentName(response), ...Object.fromEntries(cells) }
  })
  const remaining = responses.length - rows.length
  return [
    ...(summary_text.length > 0 ? [...summary_text.map(oneLine), ''] : []),
    ...table(rows, 'Nobody has responded yet.'),
    ...(remaining > 0 ? [`${remaining} more: add --csv or --json.`] : []),
  ]
}
function columnName(key: string): string {
  const name = truncate(oneLine(key), CELL_CHARS)
  return OWN_COLUMNS.includes(name) ? `values.${name}` : name
}

function toRow(response: Report['responses'][number]): Row {
  const { id, submitted_at, values } = response
  return {
    id,
    submitted_at,
    who: respondentName(response),
    values: JSON.stringify(values),
  }
}

/** A name that the respondent chose is shown after the name we gave, never instead of it. */
function respondentName({ name, respondent }: Report['responses'][number]): string {
  return truncate(oneLine(name === null ? respondent : `${respondent}: ${name}`), CELL_CHARS)
}
function cellText(value: JsonValue | undefined): string {
  if (value === undefined) return ''
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value))
}

const TOP = 5

/** Views of a page, or of all pages. */
export async function showAnalytics(context: CommandContext): Promise<void> {
  const [name] = context.args
  const { from, to, views } = context.flags
  const only = views === true ? ('views' as const) : undefined
  const query = { from: textOf(from), to: textOf(to), only }
  const client = context.client()
  const { data: report } =
    name === undefined
      ? await client.getAccountAnalytics(query)
      : await client.getAnalytics({ ...query, id: await resolvePageId(context, name) })
  const days = report.series.map((point) => ({ day: point.at, views: String(point.views) }))
  context.printRows(report, days, () => reportLines(report))
}

function reportLines(report: Output<'getAccountAnalytics'>['data']): string[] {
  const { views, viewers, measured } = report
  const tops = (['referrers', 'countries', 'devices', 'browsers'] as const).flatMap((member) => {
    const rows = (report[member] ?? []).slice(0, TOP).map((row) => ({
      [member]: row.value === null ? 'not known' : oneLine(row.value),
      views: String(row.views),
    }))
    return rows.length === 0 ? [] : ['', ...table(rows, '')]
  })
  const refusals = (report.refusals ?? []).map((row) => ({
    refused: row.reason,
    times: String(row.count),
  }))
  const median = measured?.seconds_median ?? null
  return [
    [
      count(views, 'view'),
      ...(viewers === undefined ? [] : [count(viewers, 'viewer')]),
      ...(median === null ? [] : [`half of them longer than ${count(median, 'second')}`]),
    ].join(', '),
    ...tops,
    ...(refusals.length === 0 ? [] : ['', ...table(refusals, '')]),
  ]
}
