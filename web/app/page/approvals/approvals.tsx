import { useQuery } from '@tanstack/preact-query'
import {
  Check,
  CircleDashed,
  Download,
  FileCheck2,
  MessageSquareWarning,
  Send,
} from 'lucide-preact'
import { decisionWords, firstUpper } from '../../../../src/model/decision.ts'
import { count, formatNumber } from '../../../../src/model/numbers.ts'
import { useBoot } from '../../account.ts'
import type { Page } from '../../api.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Note } from '../../ui/field.tsx'
import { NewTabLink } from '../../ui/link.tsx'
import { ListRow, RowList, Section } from '../../ui/section.tsx'
import { Pending } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { Words } from '../../ui/words.tsx'
import { CopyPersonalLink } from '../share/personal-link.tsx'
import { TurnedOff } from '../turned-off.tsx'
import { askApprovers } from './ask.tsx'
import {
  type Approvals,
  type Approver,
  approvalsQuery,
  earlierDecisions,
  type Standing,
  standingOf,
} from './standing.ts'

const MARKS: Record<Standing['kind'], { icon: typeof Check; color: string }> = {
  approved: { icon: Check, color: 'text-[light-dark(#2b6e3f,#7cc791)]' },
  changes_requested: { icon: MessageSquareWarning, color: 'text-danger' },
  waiting: { icon: CircleDashed, color: 'text-muted' },
}

const BY_LINK = ' · by a link that you handed on'

export default function ApprovalsTab({ page }: { page: Page }) {
  const { data, error, refetch } = useQuery(approvalsQuery(page.id))
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
      <Head page={page} approvals={data} />
      <ul aria-label="Approvers" className="border-t border-line">
        {approvers.map((each) => (
          <ApproverRow key={each.email} page={page} approver={each} published={data.version_no} />
        ))}
      </ul>
      <ImportedRecords page={page} approvals={data} />
    </div>
  )
}

function ImportedRecords({ page, approvals }: { page: Page; approvals: Approvals }) {
  const { imported_records: records } = approvals
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
        <RowList>
          {records.map(({ id, issuer, signed_at: signedAt, imported_at: importedAt }) => (
            <ListRow
              key={id}
              name={issuer}
              about={
                <>
                  Signed <Time at={signedAt} /> · imported <Time at={importedAt} />
                </>
              }
            >
              <a
                href={`/app/pages/${page.id}/approvals/records/${id}.jws`}
                download
                className={buttonClass('plain')}
              >
                <Download size={16} />
                Download<span className="sr-only"> the record of {issuer}</span>
              </a>
            </ListRow>
          ))}
        </RowList>
      </Section>
    </div>
  )
}

function Head({ page, approvals }: { page: Page; approvals: Approvals }) {
  const { counts, version_no: version } = approvals
  const whom = `${count(counts.waiting, 'approver')} whose decision is missing`
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
            <NewTabLink href={record} className={buttonClass('quiet')}>
              <FileCheck2 size={16} />
              Record
            </NewTabLink>
            <a href={`${record}.jws`} download className={buttonClass('quiet')}>
              Download signed record
            </a>
          </>
        )}
        {canAsk && (
          <Button icon={Send} onClick={() => askApprovers(page, whom)}>
            Ask all waiting
          </Button>
        )}
      </div>
    </div>
  )
}

interface ApproverRowProps {
  page: Page
  approver: Approver
  published: number | null
}

function ApproverRow({ page, approver, published }: ApproverRowProps) {
  const { sends_mails: sendsMails } = useBoot()
  const { email, note, decided_at: at, asked_at: askedAt, due_at: dueAt } = approver
  const earlier = earlierDecisions(approver)
  const standing = standingOf(approver, published)
  const { icon: Icon, color } = MARKS[standing.kind]
  const isWaiting = standing.kind === 'waiting'
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 border-b border-line py-4 sm:grid-cols-[auto_minmax(0,1fr)_auto]">
      <Icon size={18} aria-hidden className={`mt-0.5 ${color}`} />
      <div className="grid min-w-0 grid-cols-1 gap-1">
        <p className="break-words font-medium">{email}</p>
        <Note>
          <span className={color}>{standing.words}</span>
          {approver.proof === 'owner_link' && BY_LINK}
          <Time words=" ·" at={at} />
          {isWaiting && <Time words=" · asked" at={askedAt} />}
          {isWaiting && <Time words=" · due" at={dueAt} />}
        </Note>
        {note && <Words text={note} className="mt-1 border-l-2 border-line pl-3" />}
        {earlier.length > 0 && <History history={earlier} />}
      </div>
      {page.collect_approvals && published !== null && isWaiting && (
        <div className="col-start-2 mt-2 flex items-center gap-2 sm:col-start-3 sm:mt-0">
          {!sendsMails && <CopyPersonalLink id={page.id} email={email} purpose="approve" />}
          <Button onClick={() => askApprovers(page, email, email)}>
            {askedAt === null ? 'Ask' : 'Ask again'}
          </Button>
        </div>
      )}
    </li>
  )
}

function History({ history }: { history: Approver['history'] }) {
  const isImported = history.every(({ imported_at }) => imported_at !== null)
  return (
    <details className="mt-1 text-13">
      <summary className="text-muted">
        {isImported ? 'Imported' : 'Earlier'} decisions ({history.length})
      </summary>
      <ol className="mt-2 grid gap-2">
        {history.map(({ decision, version_no, decided_at, note, imported_at, proof }) => (
          <li key={decided_at}>
            <p>
              {firstUpper(decisionWords(decision, version_no))} ·{' '}
              <span className="text-muted">
                <Time at={decided_at} />
                {imported_at !== null && ' · imported: another server confirmed it'}
                {proof === 'owner_link' && BY_LINK}
              </span>
            </p>
            {note && <Words text={note} className="text-muted" />}
          </li>
        ))}
      </ol>
    </details>
  )
}
