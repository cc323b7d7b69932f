import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Output } from '../../../../src/client/index.ts'
import { count } from '../../../../src/model/numbers.ts'
import { useAccount } from '../../account.ts'
import { whenInWords } from '../../analytics/analytics.tsx'
import { pageReport } from '../../analytics/ranges.ts'
import { PlanNote, ReportView, useRange } from '../../analytics/report.tsx'
import { durationInWords, summaryOf } from '../../analytics/words.ts'
import { api } from '../../api.ts'
import type { Page } from '../../boot.ts'
import { ScrollArea } from '../../ui/scroll-area.tsx'
import { Section } from '../../ui/section.tsx'
import { Pending } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'

const SHOWN_MISSING = 50

const DECISIONS = { approved: 'Approved', changes_requested: 'Requested changes' }

/** The analytics of one page. */
export default function AnalyticsTab({ page }: { page: Page }) {
  const { limits } = useAccount()
  const [range, choice] = useRange()
  const { data, error, refetch } = useQuery(pageReport(page.id, range, limits.link_controls))
  const { data: viewers } = useQuery(viewersQuery(page.id))
  if (data === undefined) return <Pending error={error} onRetry={refetch} />
  const missing = viewers && notOpened(page, viewers.data)
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
        {viewers && <People page={page} viewers={viewers.data} missing={missing ?? []} />}
      </ReportView>
      {!limits.link_controls && <PlanNote />}
    </>
  )
}

interface PeopleProps {
  page: Page
  viewers: Viewer[]
  /** The invited who have not opened it. */
  missing: string[]
}

/** The people whom a gate confirmed: when, how often, how far, and what they decided. */
function People({ page, viewers, missing }: PeopleProps) {
  const decisions = useDecisions(page)
  if (viewers.length === 0 && missing.length === 0) return null
  return (
    <Section title="People" about="Those who confirmed their address at the gate.">
      {viewers.length > 0 && (
        <ScrollArea className="overflow-x-auto">
          <table className="w-full min-w-xl text-13">
            <thead className="text-left text-muted">
              <tr className="border-b border-line">
                {['Email', 'Opened', 'Last', 'Version', 'Time', 'Decision'].map((name) => (
                  <th key={name} scope="col" className="py-2 pr-4 font-medium">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {viewers.map((viewer) => (
                <Row key={viewer.email} viewer={viewer} decision={decisions.get(viewer.email)} />
              ))}
            </tbody>
          </table>
        </ScrollArea>
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

function Row({ viewer, decision }: { viewer: Viewer; decision: string | undefined }) {
  const { email, views, last_at: lastAt, version_no: version, seconds, last_sheet: sheet } = viewer
  const far = sheet === null ? '' : `, to page ${sheet}`
  return (
    <tr className="border-b border-line align-top">
      <th scope="row" className="max-w-64 truncate py-2 pr-4 text-left font-normal" title={email}>
        {email}
        {viewer.imported_at !== null && <span className="text-muted"> (imported)</span>}
      </th>
      <td className="py-2 pr-4 whitespace-nowrap">{count(views, 'time')}</td>
      <td className="py-2 pr-4 whitespace-nowrap">
        <Time at={lastAt} />
      </td>
      <td className="py-2 pr-4">{version ?? 'Not kept'}</td>
      <td className="py-2 pr-4 whitespace-nowrap">
        {seconds > 0 ? durationInWords(seconds) + far : 'Not measured'}
      </td>
      <td className="py-2">{decision ?? ''}</td>
    </tr>
  )
}

function useDecisions(page: Page): Map<string, string> {
  const { data } = useQuery({
    queryKey: ['approvals', page.id],
    queryFn: async () => (await api.getApprovals({ id: page.id })).data,
    enabled: page.collect_approvals,
  })
  const decided = data?.approvers.flatMap(({ email, decision, version_no: version }) =>
    decision === null
      ? []
      : [[email, `${DECISIONS[decision]} (version ${version ?? 'not kept'})`] as const],
  )
  return new Map(decided)
}

type Viewer = Output<'listViewers'>['data'][number]

/** The viewers whom a gate has confirmed, the latest first: at most a thousand. */
function viewersQuery(id: string) {
  return queryOptions({
    queryKey: ['viewers', id],
    queryFn: () => api.listViewers({ id, limit: 1000 }),
    refetchInterval: 30_000,
  })
}

/** The invited who have not opened the page. */
function notOpened(page: Page, viewers: readonly Viewer[]): string[] {
  const opened = new Set(viewers.map(({ email }) => email))
  return page.access === 'people' ? page.allowed_emails.filter((email) => !opened.has(email)) : []
}
