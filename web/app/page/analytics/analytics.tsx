import { useQuery } from '@tanstack/preact-query'
import type { ReactNode } from 'preact/compat'
import { count } from '../../../../src/model/numbers.ts'
import { useAccount } from '../../account.ts'
import { whenInWords } from '../../analytics/analytics.tsx'
import { PlanNote, pageReport, ReportView, useRange } from '../../analytics/report.tsx'
import { durationInWords, summaryOf } from '../../analytics/words.ts'
import { api } from '../../api.ts'
import type { Page } from '../../boot.ts'
import { read } from '../../queries.ts'
import { Section, Table } from '../../ui/section.tsx'
import { Pending } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { notOpened, type Viewer, viewersQuery } from '../viewers.ts'

const SHOWN_MISSING = 50

const DECISIONS = { approved: 'Approved', changes_requested: 'Requested changes' }

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
        {viewers && <People page={page} viewers={viewers} missing={missing ?? []} />}
      </ReportView>
      {!limits.link_controls && <PlanNote />}
    </>
  )
}

/** The people whom a gate confirmed: when, how often, how far, and what they decided. */
function People({ page, viewers, missing }: { page: Page; viewers: Viewer[]; missing: string[] }) {
  const decisions = useDecisions(page)
  if (viewers.length === 0 && missing.length === 0) return null
  return (
    <Section title="People" about="Those who confirmed their address at the gate.">
      {viewers.length > 0 && (
        <Table
          label="People"
          columns={['Email', 'Opened', 'Last', 'Version', 'Time', 'Decision']}
          rows={viewers.map((viewer) => [
            viewer.email,
            ...cellsOf(viewer),
            decisions.get(viewer.email),
          ])}
        />
      )}
      {missing.length > 0 && (
        <p className="text-13">
          <span className="font-medium">Have not opened it: </span>
          <span className="text-muted">
            {missing.slice(0, SHOWN_MISSING).join(', ')}
            {missing.length > SHOWN_MISSING && ` and ${missing.length - SHOWN_MISSING} more`}
          </span>
        </p>
      )}
    </Section>
  )
}

function cellsOf(viewer: Viewer): ReactNode[] {
  const { email, views, last_at: lastAt, version_no: version, seconds, last_sheet: sheet } = viewer
  const far = sheet === null ? '' : `, to page ${sheet}`
  return [
    <span key="email" className="block truncate" title={email}>
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
  const { data } = useQuery({
    ...read(['approvals', page.id], () => api.getApprovals({ id: page.id })),
    enabled: page.collect_approvals,
  })
  const decided = data?.approvers.flatMap(({ email, decision, version_no: version }) =>
    decision === null
      ? []
      : [[email, `${DECISIONS[decision]} (version ${version ?? 'not kept'})`] as const],
  )
  return new Map(decided)
}
