import type { Output } from '../../src/client/index.ts'
import { type CommandContext, positionalArgs } from '../command.ts'
import { oneLine, table, tabSeparated, writeFile } from '../output.ts'
import { resolvePageId } from '../page.ts'
import { isTerminal } from '../terminal.ts'

type Report = Output<'getApprovals'>['data']
type Approver = Report['approvers'][number]

export async function run(context: CommandContext): Promise<void> {
  const [name = ''] = positionalArgs(context, ['PAGE'])
  const id = await resolvePageId(context, name)
  if (context.flags.record === true) return printRecord(context, id)
  const { data: report } = await context.client().getApprovals({ id })
  const rows = report.approvers.map((approver) => ({
    approver: approver.email,
    decision: describeDecision(approver, report.version_no),
    at: approver.decided_at?.slice(0, 16) ?? '',
    note: oneLine(approver.note),
  }))
  context.print(
    report,
    isTerminal() ? [...describeCounts(report), ...table(rows, '')] : tabSeparated(rows),
  )
}

async function printRecord(context: CommandContext, id: string): Promise<void> {
  const response = await context.client().getApprovalRecord({ id })
  if (context.asJson) return context.print({ record: (await response.text()).trim() }, '')
  await writeFile(response.body as unknown as AsyncIterable<Uint8Array>)
}

function describeCounts({ collecting, counts, approvers }: Report): string[] {
  if (approvers.length === 0) return ['The page has no approvers: add --approver to an update.']
  const { approved, changes_requested: changesRequested, waiting } = counts
  const off = collecting ? '' : ' (approvals are off now)'
  return [`${approved} approved, ${changesRequested} request changes, ${waiting} waiting${off}`, '']
}

function describeDecision(approver: Approver, versionNo: number | null): string {
  const { decision, version_no: decidedNo, is_current: isCurrent } = approver
  if (decision === null) return 'waiting'
  const done = decision === 'approved' ? 'approved' : 'requested changes to'
  const now = isCurrent || versionNo === null ? '' : `, now ${versionNo}`
  return `${done} version ${decidedNo}${now}`
}
