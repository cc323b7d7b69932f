import { Link } from 'wouter-preact'
import { decisionWords } from '../../../src/model/decision.ts'
import { AccessAnswer } from '../page/access-answer.tsx'
import { NoMailNote } from '../page/share/personal-link.tsx'
import { nameOf } from '../page/words.ts'
import { Thread } from '../threads/thread.tsx'
import { QuietButton } from '../ui/button.tsx'
import { Time } from '../ui/time.tsx'
import { Words } from '../ui/words.tsx'
import { ThisPageButton } from './filters.tsx'
import { setDone } from './marks.ts'
import {
  type Acceptance,
  type AccessRequest,
  type Decision,
  type Entry,
  KINDS,
  type ShortResponse,
} from './queries.ts'

interface EntryProps {
  entry: Entry
  /** Shows its page in the place of the list, where there is no room for both. */
  onShow(): void
}

/** One thing that waits, or that was done. */
export function InboxEntry({ entry, onShow }: EntryProps) {
  const above = <Origin entry={entry} onShow={onShow} />
  if (entry.kind === 'thread') {
    return <Thread page={entry.page} thread={entry.thread} above={above} />
  }
  return (
    <div className="grid grid-cols-1 gap-2">
      {above}
      {entry.kind === 'request' && <RequestEntry pageId={entry.page.id} request={entry.request} />}
      {entry.kind === 'decision' && <DecisionEntry decision={entry.decision} />}
      {entry.kind === 'response' && <ResponseEntry response={entry.response} />}
      {entry.kind === 'agreement' && <AgreementEntry agreement={entry.agreement} />}
      {entry.kind === 'opening' && (
        <p className="break-words">
          Opened with the link of <bdi className="font-medium">{entry.opening.link_label}</bdi>
        </p>
      )}
    </div>
  )
}

/** Where it comes from, and what the owner says of it. */
function Origin({ entry, onShow }: EntryProps) {
  const { kind, page, at, is_read: isRead } = entry
  return (
    <div className="flex min-w-0 flex-wrap items-center justify-end gap-x-2 text-13 text-muted">
      <p className="flex min-w-0 grow basis-64 items-baseline gap-2">
        {!isRead && (
          <span className="size-2 shrink-0 self-center rounded-full bg-accent">
            <span className="sr-only">Unread</span>
          </span>
        )}
        <span className={`shrink-0 ${isRead ? '' : 'font-medium text-ink'}`}>
          {KINDS[kind].name}
        </span>
        <span aria-hidden>·</span>
        <Link
          href={`/pages/${page.id}/${KINDS[kind].tab}`}
          dir="auto"
          className={`min-w-0 truncate hover:text-ink hover:underline ${isRead ? '' : 'font-medium text-ink'}`}
        >
          {nameOf(page)}
        </Link>
        {kind !== 'thread' && (
          <span className="shrink-0">
            <Time at={at} />
          </span>
        )}
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div
        className="-my-2 -mr-3 flex forced-colors:my-0"
        role="group"
        aria-label={`${KINDS[kind].name} of ${whoOf(entry)} on ${nameOf(page)}`}
      >
        <ThisPageButton page={page} />
        <QuietButton className="text-13! min-[62.5rem]:hidden" onClick={onShow}>
          Show page
        </QuietButton>
        <DoneButton entry={entry} />
      </div>
    </div>
  )
}

/** Who did it: the list has buttons of one name for each entry. */
function whoOf(entry: Entry): string {
  if (entry.kind === 'thread') return entry.thread.author?.name ?? 'somebody'
  if (entry.kind === 'response') return entry.response.name ?? entry.response.respondent
  if (entry.kind === 'request') return entry.request.email
  if (entry.kind === 'decision') return entry.decision.email
  return entry.kind === 'agreement' ? entry.agreement.name : entry.opening.link_label
}

/** Takes it out of the list, or back into it. What is resolved or decided is opened on its page. */
function DoneButton({ entry }: { entry: Entry }) {
  const { kind, is_done: isDone } = entry
  if (kind === 'thread' && entry.thread.state === 'resolved') return null
  if (kind === 'request' && entry.request.decision !== null) return null
  if (kind === 'agreement' || kind === 'opening') return null
  return (
    <QuietButton
      className="text-13!"
      {...(kind !== 'thread' && { 'aria-keyshortcuts': 'e' })}
      onClick={() => setDone(entry, !isDone)}
    >
      {isDone ? 'Back to the inbox' : 'Done'}
    </QuietButton>
  )
}

function RequestEntry({ pageId, request }: { pageId: string; request: AccessRequest }) {
  const { email, decision } = request
  return (
    <>
      <p className="break-words">
        Somebody who gave <span className="font-medium">{email}</span> asks to open it
      </p>
      {decision === null && <NoMailNote>once let in, copy their link under Share.</NoMailNote>}
      <AccessAnswer pageId={pageId} request={request} />
    </>
  )
}

function DecisionEntry({ decision: record }: { decision: Decision }) {
  const { email, decision, note, version_no: versionNo, is_current: isCurrent } = record
  return (
    <>
      <p className="break-words">
        <span className="font-medium">{email}</span> {decisionWords(decision, versionNo)}
        {!isCurrent && <span className="text-muted"> · another version is live now</span>}
      </p>
      {note && <Words text={note} className="border-l-2 border-line pl-3" />}
    </>
  )
}

function AgreementEntry({ agreement }: { agreement: Acceptance }) {
  const { name, email, agreement_version: version } = agreement
  return (
    <p className="break-words">
      <bdi className="font-medium">{name}</bdi>
      {email !== null && ` (${email})`} agreed to version {version} of the agreement
    </p>
  )
}

function ResponseEntry({ response: { respondent, name, fields } }: { response: ShortResponse }) {
  return (
    <>
      <p className="break-words">
        <bdi className="font-medium">{name ?? respondent}</bdi> responded
      </p>
      {fields === null && <p className="text-muted">It is long: open it among the responses.</p>}
      <dl className="grid grid-cols-1 gap-1">
        {fields?.map(({ key, text }) => (
          <div key={key} className="flex min-w-0 gap-2">
            <dt className="max-w-1/2 shrink-0 break-words text-muted">{key}</dt>
            <dd dir="auto" className="min-w-0 break-words">
              {text}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
