import { useQuery } from '@tanstack/preact-query'
import type { ReactNode } from 'preact/compat'
import { decisionWords, firstUpper } from '../../../../src/model/decision.ts'
import { count } from '../../../../src/model/numbers.ts'
import { useAccount } from '../../account.ts'
import { whenInWords } from '../../analytics/analytics.tsx'
import { PlanNote, pageReport, ReportView, useRange } from '../../analytics/report.tsx'
import { durationInWords, summaryOf } from '../../analytics/words.ts'
import type { Page } from '../../api.ts'
import { Section, Table } from '../../ui/section.tsx'
import { Pending } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { approvalsQuery } from '../approvals/standing.ts'
import { NotOpened } from '../not-opened.tsx'
import { notOpened, type Viewer, viewersQuery } from '../viewers.ts'

export default function AnalyticsTab({ page }: { page: Page }) {
  const { limits } = useAccount()
  const [range, choice] = useRange()
  const { data, error, refetch } = useQuery(pageReport(page.id, range, limits.link_controls))
  const { data: viewers } = useQuery(viewersQuery(page.id))
  if (data === undefined) return <Pending error={error} onRetry={refetch} />
  const missing = viewers && notOpened(page, viewers)
  const people =
    missing && page.access === 'people'
      ? { invited: page.allowed_emails.length, notOpened: missing.length }
      : null
  return (
    <>
      <div className="mb-8 flex flex-wrap items-start justify-between gap-4">
        <p className="max-w-2xl flex-1 basis-80 text-17">
          {summaryOf(data, whenInWords(range), people)}
        </p>
        {choice && <div>{choice}</div>}
      </div>
      <ReportView report={data}>
        {viewers && <People page={page} viewers={viewers} />}
        <NotOpened page={page} />
      </ReportView>
      {!limits.link_controls && <PlanNote />}
    </>
  )
}

const SHOWN_PEOPLE = 100
const ABOUT = `Who confirmed an address at the gate, at most the latest ${SHOWN_PEOPLE}.`

/** The people whom a gate confirmed: when, how often, how far, and what they decided. */
function People({ page, viewers }: { page: Page; viewers: Viewer[] }) {
  const decisions = useDecisions(page)
  if (viewers.length === 0) return null
  return (
    <Section title="People" about={ABOUT}>
      <Table
        label="People"
        columns={['Email', 'Opened', 'Last', 'Version', 'Time', 'Decision']}
        rows={viewers
          .slice(0, SHOWN_PEOPLE)
          .map((viewer) => [viewer.email, ...cellsOf(viewer), decisions.get(viewer.email)])}
      />
    </Section>
  )
}

function cellsOf(viewer: Viewer): ReactNode[] {
  const { email, views, last_at: lastAt, version_no: version, seconds, last_sheet: sheet } = viewer
  const far = sheet === null ? '' : `, to page ${sheet}`
  return [
    <span key="email" className="block break-words">
      {email}
      {viewer.imported_at !== null && <span className="text-muted"> (imported)</span>}
    </span>,
    count(views, 'time'),
    <Time key="last" at={lastAt} />,
    version ?? 'Not kept',
    seconds > 0 ? durationInWords(seconds) + far : 'Not measured',
  ]
}

function useDecisions(page: Page): Map<string, string> {
  const { data } = useQuery({ ...approvalsQuery(page.id), enabled: page.collect_approvals })
  const decisions = data?.approvers.flatMap(({ email, decision, version_no: version }) =>
    decision === null ? [] : [[email, firstUpper(decisionWords(decision, version!))] as const],
  )
  return new Map(decisions)
}
