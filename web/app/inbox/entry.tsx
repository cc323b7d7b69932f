import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, messageOf } from '../api.ts'
import { decisionWords } from '../page/approvals/standing.ts'
import { nameOf } from '../page/words.ts'
import { Thread } from '../threads/thread.tsx'
import { Button } from '../ui/button.tsx'
import { NewMark } from '../ui/new-mark.tsx'
import { Time } from '../ui/time.tsx'
import { showError, showToast } from '../ui/toast.tsx'
import { Words } from '../ui/words.tsx'
import type { AccessRequest, Decision, Entry } from './model.ts'

const TABS = { thread: 'comments', request: 'share', decision: 'approvals' }
const KINDS = { thread: 'Comment', request: 'Access request', decision: 'Decision' }

/** One thing that waits, or that was decided. */
export function InboxEntry({ entry, isNew }: { entry: Entry; isNew: boolean }) {
  const above = <Origin entry={entry} isNew={isNew} />
  if (entry.kind === 'thread') {
    return <Thread page={entry.page} thread={entry.thread} above={above} />
  }
  return (
    <div className="grid grid-cols-1 gap-2">
      {above}
      {entry.kind === 'request' ? (
        <RequestEntry pageId={entry.page.id} request={entry.request} />
      ) : (
        <DecisionEntry decision={entry.decision} />
      )}
    </div>
  )
}

/** Where it comes from. */
function Origin({ entry: { kind, page, at }, isNew }: { entry: Entry; isNew: boolean }) {
  return (
    <p className="flex min-w-0 items-baseline gap-2 text-13 text-muted">
      <span className="shrink-0">{KINDS[kind]}</span>
      <span aria-hidden>·</span>
      <Link
        href={`/pages/${page.id}/${TABS[kind]}`}
        dir="auto"
        className="min-w-0 truncate hover:text-ink hover:underline"
      >
        {nameOf(page)}
      </Link>
      {isNew && <NewMark />}
      {kind !== 'thread' && (
        <span className="ml-auto shrink-0">
          <Time at={at} />
        </span>
      )}
    </p>
  )
}

/** Somebody who asks to open a page, to be let in or not. */
function RequestEntry({ pageId, request }: { pageId: string; request: AccessRequest }) {
  const client = useQueryClient()
  const { id, email } = request
  const { mutate, variables, isPending, isSuccess } = useMutation({
    mutationFn: (decision: 'approve' | 'deny') =>
      api.decideAccessRequest({ id: pageId, request_id: id, decision }),
    onSuccess: (_, decision) =>
      showToast(
        decision === 'approve'
          ? `${email} can open the page and gets a mail`
          : `${email} stays out`,
      ),
    onError: (err) => showError(messageOf(err)),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['inbox'] }),
        client.invalidateQueries({ queryKey: ['page', pageId] }),
        client.invalidateQueries({ queryKey: ['access-requests', pageId] }),
      ]),
  })
  if (isPending || isSuccess) {
    return (
      <p className="break-words text-muted">
        {email}: {variables === 'approve' ? 'approved' : 'denied'}
      </p>
    )
  }
  return (
    <>
      <p className="break-words">
        Somebody who gave <span className="font-medium">{email}</span> asks to open it
      </p>
      <div className="flex gap-2">
        <Button onClick={() => mutate('approve')}>Approve</Button>
        <Button look="quiet" onClick={() => mutate('deny')}>
          Deny
        </Button>
      </div>
    </>
  )
}

function DecisionEntry({ decision: made }: { decision: Decision }) {
  const { email, decision, note, version_no: versionNo, is_current: isCurrent } = made
  return (
    <>
      <p className="break-words">
        <span className="font-medium">{email}</span>{' '}
        {decisionWords(decision, versionNo).replace(/^\w/, (first) => first.toLowerCase())}
        {!isCurrent && <span className="text-muted"> · another version is live now</span>}
      </p>
      {note && <Words text={note} className="border-l-2 border-line pl-3" />}
    </>
  )
}
