import { useQueries, useQuery } from '@tanstack/preact-query'
import { Link } from 'wouter-preact'
import { formatNumber } from '../../../src/model/numbers.ts'
import { useAccount } from '../account.ts'
import { Screen } from '../frame/screen.tsx'
import { pageQuery } from '../page/use-page.ts'
import { nameOf } from '../page/words.ts'
import { Section } from '../ui/section.tsx'
import { Pending } from '../ui/states.tsx'
import { RANGES } from './ranges.ts'
import { accountReport, PlanNote, ReportView, useRange } from './report.tsx'
import { summaryOf } from './words.ts'

export default function AnalyticsScreen() {
  const { limits } = useAccount()
  const [range, choice] = useRange()
  const { data, error, refetch } = useQuery(accountReport(range, limits.link_controls))
  return (
    <Screen title="Analytics" action={choice}>
      {data === undefined && <Pending error={error} onRetry={refetch} />}
      {data && (
        <>
          <p className="mb-8 max-w-2xl text-17">
            {summaryOf(data, whenInWords(range), null).replace('opened it', 'opened a page')}
          </p>
          <ReportView report={data}>
            {data.pages && data.pages.length > 0 && <ByPage pages={data.pages} />}
          </ReportView>
          {!limits.link_controls && <PlanNote />}
        </>
      )}
    </Screen>
  )
}

export function whenInWords(range: keyof typeof RANGES): string {
  return range === 'all' ? 'so far' : `in the ${RANGES[range].toLowerCase()}`
}

const MAX_PAGES = 10
const AS_READ = { refetchInterval: false, staleTime: 30_000 } as const

function ByPage({ pages }: { pages: { page_id: string; views: number }[] }) {
  const top = pages.slice(0, MAX_PAGES)
  const queries = top.map(({ page_id: id }) => ({ ...pageQuery(id), ...AS_READ }))
  const records = useQueries({ queries })
  return (
    <Section title="Pages">
      <ol className="border-t border-line">
        {top.map(({ page_id: id, views }, at) => (
          <li key={id} className="border-b border-line">
            <Link
              href={`/pages/${id}/analytics`}
              className="flex justify-between gap-4 py-2.5 hover:bg-sunk"
            >
              <bdi className="min-w-0 truncate">
                {records[at]?.data === undefined ? '…' : nameOf(records[at].data)}
              </bdi>
              <span className="tabular-nums">{formatNumber(views)}</span>
            </Link>
          </li>
        ))}
      </ol>
    </Section>
  )
}
