import { useQuery } from '@tanstack/react-query'
import { useAccount } from '../../account.ts'
import { whenInWords } from '../../analytics/analytics.tsx'
import { PlanNote } from '../../analytics/plan-note.tsx'
import { pageReport } from '../../analytics/queries.ts'
import { useRange } from '../../analytics/range-choice.tsx'
import { ReportView } from '../../analytics/report.tsx'
import { summaryOf } from '../../analytics/words.ts'
import type { Page } from '../../boot.ts'
import { Pending } from '../../ui/states.tsx'
import { People } from './people.tsx'
import { notOpened, viewersQuery } from './viewers.ts'

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
