import { Download } from 'lucide-react'
import type { Page } from '../../boot.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { formatBytes } from '../../ui/text.ts'
import { Time } from '../../ui/time.tsx'
import { useClosing } from '../use-closing.ts'
import { parametersOf, type ResponseQuery } from './queries.ts'
import { type Report, shareOf } from './values.ts'

interface StatusProps {
  page: Page
  status: Report['status']
  query: ResponseQuery
}

/** The number of responses, whether the page still accepts them, and the download. */
export function Status({ page, status, query }: StatusProps) {
  const { count, bytes, max_count: maxCount, max_bytes: maxBytes } = status
  const { closesAt, isClosed, close, reopen } = useClosing(page, 'responses_closed_at')
  const isFull = count >= maxCount || bytes >= maxBytes
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <p className="text-muted tabular-nums">
        <span className="text-ink">{shareOf(count, maxCount)} responses</span> ·{' '}
        {formatBytes(bytes)} of {formatBytes(maxBytes)}
        {isFull && (
          <span className="text-danger"> · Full: people who have not responded are refused</span>
        )}
        {closesAt && (
          <>
            {' · '}
            {isClosed ? 'Closed ' : 'Closes '}
            <Time at={closesAt} />
          </>
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        {count > 0 && (
          <a href={fileAddress(page.id, query)} download className={buttonClass()}>
            <Download size={16} aria-hidden />
            Download CSV
          </a>
        )}
        <Button onClick={isClosed ? reopen : close}>
          {isClosed ? 'Reopen responses' : 'Close responses'}
        </Button>
      </div>
    </div>
  )
}

/** The browser itself saves the file, as it arrives. */
function fileAddress(id: string, query: ResponseQuery): string {
  return `/app/pages/${id}/responses.csv?${new URLSearchParams(parametersOf(query))}`
}
