import { queryOptions, useQuery } from '@tanstack/react-query'
import { Download, FileCheck2, Send } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api.ts'
import type { Page } from '../../boot.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Section } from '../../ui/section.tsx'
import { Pending } from '../../ui/states.tsx'
import { formatNumber } from '../../ui/text.ts'
import { Time } from '../../ui/time.tsx'
import { TurnedOff } from '../turned-off.tsx'
import { ApproverRow } from './approver-row.tsx'
import { AskDialog } from './ask-dialog.tsx'
import type { Approvals } from './standing.ts'

export function approvalsQuery(id: string) {
  return queryOptions({
    queryKey: ['approvals', id],
    queryFn: async () => (await api.getApprovals({ id })).data,
    refetchInterval: 10_000,
  })
}

/** The approvers and their decisions. */
export default function ApprovalsTab({ page }: { page: Page }) {
  const { data, error, refetch } = useQuery(approvalsQuery(page.id))
  /** Whom to ask: everybody who is awaited, or one; null while nobody is asked. */
  const [asked, setAsked] = useState<'awaited' | { email: string } | null>(null)
  if (data === undefined) return <Pending error={error} onRetry={refetch} rows={4} />
  const { approvers, imported_records: records } = data
  if (!page.collect_approvals && approvers.length === 0 && records.length === 0) {
    return (
      <TurnedOff page={page} title="Nobody is asked to approve">
        <p>
          Name approvers, and each approves the page or requests changes, confirmed on a page of
          this service. You get a signed record.
        </p>
      </TurnedOff>
    )
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <Head page={page} approvals={data} onAsk={() => setAsked('awaited')} />
      <ul aria-label="Approvers" className="border-t border-line">
        {data.approvers.map((approver) => (
          <ApproverRow
            key={approver.email}
            approver={approver}
            published={data.version_no}
            onAsk={
              page.collect_approvals && data.version_no !== null
                ? () => setAsked({ email: approver.email })
                : null
            }
          />
        ))}
      </ul>
      <ImportedRecords page={page} records={data.imported_records} />
      {asked !== null && (
        <AskDialog
          page={page}
          email={asked === 'awaited' ? null : asked.email}
          waiting={data.counts.waiting}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  )
}

function ImportedRecords({
  page,
  records,
}: {
  page: Page
  records: Approvals['imported_records']
}) {
  if (records.length === 0) return null
  return (
    <div className="mt-4">
      <Section
        title="Imported records"
        about={
          <>
            Other servers signed them, and this one has not checked them:{' '}
            <code>handbill verify FILE</code> does.
          </>
        }
      >
        <ul className="border-t border-line">
          {records.map(({ id, issuer, signed_at: signedAt, imported_at: importedAt }) => (
            <li
              key={id}
              className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line py-3"
            >
              <div className="min-w-0">
                <p className="break-all">{issuer}</p>
                <p className="text-13 text-muted">
                  Signed <Time at={signedAt} /> · imported <Time at={importedAt} />
                </p>
              </div>
              <a
                href={`/app/pages/${page.id}/approvals/records/${id}.jws`}
                download
                className={buttonClass('plain')}
              >
                <Download size={16} aria-hidden />
                Download<span className="sr-only"> the record of {issuer}</span>
              </a>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  )
}

interface HeadProps {
  page: Page
  approvals: Approvals
  onAsk(): void
}

function Head({ page, approvals, onAsk }: HeadProps) {
  const { counts, version_no: version } = approvals
  const canAsk = page.collect_approvals && version !== null && counts.waiting > 0
  const record = `/app/pages/${page.id}/approvals/record`
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <p className="tabular-nums">
        <span className="font-medium">{formatNumber(counts.approved)} approved</span>
        <span className="text-muted">
          {' · '}
          {formatNumber(counts.changes_requested)} requested changes
          {' · '}
          {formatNumber(counts.waiting)} waiting
          {' · '}
          {version === null ? 'Nothing is published to decide on' : `Version ${version} is live`}
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        {version !== null && (
          <>
            <a href={record} target="_blank" rel="noopener" className={buttonClass('quiet')}>
              <FileCheck2 size={16} aria-hidden />
              Record
            </a>
            <a href={`${record}.jws`} download className={buttonClass('quiet')}>
              Download signed record
            </a>
          </>
        )}
        {canAsk && (
          <Button icon={<Send size={16} aria-hidden />} onClick={onAsk}>
            Ask all waiting
          </Button>
        )}
      </div>
    </div>
  )
}
