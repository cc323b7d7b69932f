import type { ReactNode } from 'react'
import { useStore } from '../../store.ts'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import type { EditSession } from './session.ts'

/** Notices above the editor: failures, conflicts, and unsaved text that was restored. */
export function Notes({ session, onCompare }: { session: EditSession; onCompare(): void }) {
  const { problem, conflict, revivedFrom, elsewhere } = useStore(session)
  return (
    <>
      {problem !== null && (
        <Note isAlert actions={<Button onClick={() => void session.save()}>Try again</Button>}>
          {problem} What you typed is still here.
        </Note>
      )}
      {conflict !== null && (
        <Note isAlert actions={<Button onClick={onCompare}>Compare and decide</Button>}>
          The draft was changed elsewhere while you were editing. Nothing is lost: look at both, and
          save what is right.
        </Note>
      )}
      {revivedFrom !== null && conflict === null && (
        <Note
          actions={
            <Button look="quiet" onClick={session.discard}>
              Discard it
            </Button>
          }
        >
          What you typed <Time at={revivedFrom} /> and did not save is here again.
        </Note>
      )}
      {elsewhere !== null && conflict === null && (
        <Note
          actions={
            <>
              <Button onClick={session.takeElsewhere}>Show it here</Button>
              <Button look="quiet" onClick={session.dropElsewhere}>
                Discard it
              </Button>
            </>
          }
        >
          Another tab has changes from <Time at={elsewhere.at} /> that are not saved.
        </Note>
      )}
    </>
  )
}

function Note({
  children,
  actions,
  isAlert = false,
}: {
  children: ReactNode
  actions: ReactNode
  isAlert?: boolean
}) {
  return (
    <div
      role={isAlert ? 'alert' : 'status'}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-card border border-control bg-raised px-4 py-2"
    >
      <p className={`min-w-0 ${isAlert ? 'text-danger' : ''}`}>{children}</p>
      <div className="flex gap-2">{actions}</div>
    </div>
  )
}
