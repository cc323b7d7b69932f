import { Check, CircleDashed, MessageSquareWarning } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { Words } from '../../ui/words.tsx'
import {
  type Approver,
  decisionWords,
  earlierDecisions,
  type Standing,
  standingOf,
} from './standing.ts'

const MARKS: Record<Standing['kind'], { icon: typeof Check; color: string }> = {
  approved: { icon: Check, color: 'text-[light-dark(#2b6e3f,#7cc791)]' },
  changes_requested: { icon: MessageSquareWarning, color: 'text-danger' },
  waiting: { icon: CircleDashed, color: 'text-muted' },
}

interface ApproverRowProps {
  approver: Approver
  published: number | null
  /** Null where nobody can be asked. */
  onAsk: (() => void) | null
}

/** An approver: what was decided, on which version, and what was said with it. */
export function ApproverRow({ approver, published, onAsk }: ApproverRowProps) {
  const { email, note, decided_at: at, asked_at: askedAt, due_at: dueAt } = approver
  const earlier = earlierDecisions(approver)
  const standing = standingOf(approver, published)
  const { icon: Icon, color } = MARKS[standing.kind]
  const isWaiting = standing.kind === 'waiting'
  return (
    <li className="grid grid-cols-[auto_1fr] gap-x-3 border-b border-line py-4 sm:grid-cols-[auto_1fr_auto]">
      <Icon size={18} aria-hidden className={`mt-0.5 ${color}`} />
      <div className="grid min-w-0 gap-1">
        <p className="truncate font-medium">{email}</p>
        <p className="text-13 text-muted">
          <span className={color}>{standing.words}</span>
          {at && (
            <>
              {' · '}
              <Time at={at} />
            </>
          )}
          {isWaiting && askedAt && (
            <>
              {' · asked '}
              <Time at={askedAt} />
            </>
          )}
          {isWaiting && dueAt && (
            <>
              {' · due '}
              <Time at={dueAt} />
            </>
          )}
        </p>
        {note && <Words text={note} className="mt-1 border-l-2 border-line pl-3" />}
        {earlier.length > 0 && <History history={earlier} />}
      </div>
      {onAsk && isWaiting && (
        <div className="col-start-2 mt-2 sm:col-start-3 sm:mt-0">
          <Button onClick={onAsk}>{askedAt === null ? 'Ask' : 'Ask again'}</Button>
        </div>
      )}
    </li>
  )
}

function History({ history }: { history: Approver['history'] }) {
  const isImported = history.every(({ imported_at: importedAt }) => importedAt !== null)
  return (
    <details className="mt-1 text-13">
      <summary className="text-muted">
        {isImported ? 'Imported' : 'Earlier'} decisions ({history.length})
      </summary>
      <ol className="mt-2 grid gap-2">
        {history.map(
          ({ decision, version_no: version, decided_at: at, note, imported_at: importedAt }) => (
            <li key={at}>
              <p>
                {decisionWords(decision, version)} ·{' '}
                <span className="text-muted">
                  <Time at={at} />
                  {importedAt !== null && ' · imported: another server confirmed it'}
                </span>
              </p>
              {note && <Words text={note} className="text-muted" />}
            </li>
          ),
        )}
      </ol>
    </details>
  )
}
