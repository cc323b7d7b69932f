import { useState } from 'react'
import { useLocation, useRoute, useSearch } from 'wouter'
import type { Page } from '../../boot.ts'
import { Button } from '../../ui/button.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Failure, Pending } from '../../ui/states.tsx'
import { count } from '../../ui/text.ts'
import { useArrivals } from '../../ui/use-arrivals.ts'
import { DeleteResponse, useDeletion } from './delete-response.tsx'
import { Filters } from './filters.tsx'
import { NoResponses } from './no-responses.tsx'
import { ResponsePanel } from './response.tsx'
import { Status } from './status.tsx'
import { Summaries } from './summaries.tsx'
import { ResponseTable, rowsOfItems, rowsOfResponses } from './table.tsx'
import { useResponses, useResponseView } from './use-responses.ts'
import { type Report, type ResponseRecord, senderOf } from './values.ts'

/** The responses of a page: a summary of each field above the table. */
export default function ResponsesTab({ page }: { page: Page }) {
  const view = useResponseView()
  const { openId, open } = useOpenResponse(page.id)
  const found = useResponses(page, view, openId)
  const { report, error, refetch } = found
  const isNew = useArrivals(`${page.id}:responses`, report && newestIn(report))
  const deletion = useDeletion(page.id)
  const [doomed, setDoomed] = useState<{ id: string; sender: string } | null>(null)
  if (report === undefined) {
    return (
      <div className="grid grid-cols-1 justify-items-start gap-3">
        <Pending error={error} onRetry={refetch} rows={8} />
        {error && view.isFiltered && <Button onClick={view.clear}>Show all</Button>}
      </div>
    )
  }
  const { status } = report
  if (status.count === 0) {
    return (
      <div className="grid grid-cols-1 gap-4">
        {status.collecting && <Status page={page} status={status} query={view.query} />}
        <NoResponses page={page} isCollecting={status.collecting} />
      </div>
    )
  }
  const isSplit = report.explode !== null
  const rows =
    report.explode === null
      ? rowsOfResponses(found.responses)
      : rowsOfItems(found.rows, found.responses, report.explode)
  const fields = isSplit ? report.row_fields : report.fields
  const askToDelete = (response: Pick<ResponseRecord, 'id' | 'name' | 'respondent'>) =>
    setDoomed({ id: response.id, sender: senderOf(response) })
  return (
    <div className="grid grid-cols-1 gap-6">
      <Status page={page} status={status} query={view.query} />
      <Summaries
        summaries={isSplit ? report.row_summaries : report.summaries}
        choices={view.query.choices}
        onToggle={view.toggle}
      />
      <Filters view={view} report={report} fields={fields} />
      <div className="flex items-start gap-6">
        <div
          aria-busy={found.isPlaceholderData}
          className="min-w-0 flex-1 transition-opacity aria-busy:opacity-60"
        >
          <ResponseTable
            fields={fields}
            rows={rows.filter(({ id }) => !deletion.isLeaving(id))}
            openId={openId}
            hasItems={isSplit}
            isNew={isNew}
            onOpen={open}
            onDelete={askToDelete}
          />
          <More found={found} isFiltered={view.isFiltered} shown={rows.length} report={report} />
        </div>
        {found.open && (
          <ResponsePanel
            response={found.open}
            fields={report.fields}
            onClose={() => open(null)}
            onDelete={() => askToDelete(found.open!)}
          />
        )}
      </div>
      {doomed && (
        <DeleteResponse
          sender={doomed.sender}
          onClose={() => setDoomed(null)}
          onConfirm={() => {
            if (doomed.id === openId) open(null)
            deletion.remove(doomed.id)
          }}
        />
      )}
    </div>
  )
}

/** The response that the address names, with the filters kept. */
function useOpenResponse(pageId: string) {
  const [, navigate] = useLocation()
  const search = useSearch()
  const [, params] = useRoute<{ item: string }>('/pages/:id/responses/:item')
  const query = search === '' ? '' : `?${search}`
  return {
    openId: params?.item ?? null,
    open: (id: string | null) =>
      navigate(`/pages/${pageId}/responses${id === null ? '' : `/${id}`}${query}`),
  }
}

interface MoreProps {
  found: ReturnType<typeof useResponses>
  isFiltered: boolean
  /** Rows in the table. */
  shown: number
  report: Report
}

/** How many match, and the control that shows more. */
function More({ found, isFiltered, shown, report }: MoreProps) {
  const what = report.explode === null ? 'response' : 'row'
  const total = what === 'response' ? report.total : report.row_total
  const matched = found.hasNextPage ? total : shown
  return (
    <>
      {(isFiltered || shown === 0) && !found.isPlaceholderData && (
        <p role="status" className="mt-3 text-13 text-muted">
          {shown === 0 ? `No ${what} matches.` : `${count(matched, what)} found.`}
        </p>
      )}
      {found.error && <Failure error={found.error} onRetry={() => found.fetchNextPage()} />}
      <ShowMore query={found} className="mt-3" />
    </>
  )
}

/** When the newest response was sent; empty where there is none. */
function newestIn({ responses }: Report): string {
  return responses.map(({ submitted_at: at }) => at).reduce((a, b) => (a > b ? a : b), '')
}
