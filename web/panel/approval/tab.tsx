import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type {
  ApprovalChanges,
  ApprovalView,
  Chosen,
} from '../../../src/features/approvals/contract.ts'
import type { FileChange } from '../../../src/features/content/contract.ts'
import { stored } from '../../stored.ts'
import { Alert, Field, QuietButton, Time, useCall } from '../components.tsx'
import { createStateTab } from '../state-tab.tsx'
import type { Tab, TabContext } from '../tab.ts'
import styles from './approval.css' with { type: 'text' }
import { decidedText, ownStateText, progressText, requestText } from './words.ts'

const STATES = { added: 'New file', removed: 'Removed file', changed: 'Changed' } as const
const LINE_ELEMENTS = { added: 'ins', removed: 'del', same: 'p', gap: 'p' } as const

export const approvalTab: Tab = {
  id: 'approval',
  label: 'Approval',
  icon: 'M8 1.5 13.5 3.5v4c0 3.5-2.3 5.8-5.5 7-3.2-1.2-5.5-3.5-5.5-7v-4zM5.5 8l2 2 3.5-4',
  styles,
  start(context) {
    const { mount } = createStateTab<ApprovalView>(context, {
      path: '/~/approval',
      className: 'approval',
      off: { code: 'approvals_off', text: 'This page asks for no approval now.' },
      countOf: ({ waiting }) => waiting?.length || null,
      render: (state) => <Approval state={state} context={context} />,
    })
    return mount
  },
}

interface ApprovalProps {
  state: ApprovalView
  context: TabContext
}

interface RequestResult {
  asked: { email: string }[]
  not_admitted: string[]
}
type Mine = NonNullable<ApprovalView['mine']>
type Decision = NonNullable<ApprovalView['others']>[number]

/** The viewer's decision with its form, and the decisions of others. */
function Approval(props: ApprovalProps) {
  const { state, context } = props
  const { mine, others, waiting, version_no: version } = state
  return (
    <>
      {waiting !== null && <h3>{progressText(state)}</h3>}
      {mine !== null && <OwnPart {...props} mine={mine} />}
      {mine === null && waiting === null && <Outsider {...context} />}
      {waiting !== null && <OwnersPart state={state} waiting={waiting} context={context} />}
      {waiting === null && others !== null && (
        <People title="Other approvers">
          {others.map((each) => (
            <Decided key={each.email} decision={each} now={version} />
          ))}
        </People>
      )}
    </>
  )
}

/** For everybody else: nothing of it, and a quiet way in for an approver who has lost the mail. */
function Outsider({ viewer, confirmEmail }: TabContext) {
  const place = useRef<HTMLDivElement>(null)
  const [isLost, setLost] = useState(false)
  const ask = () => {
    setLost(true)
    void confirmEmail(place.current!, 'decide').then(() => setLost(false))
  }
  return (
    <>
      <p>Those whom the owner asked to approve this page got a link to decide with.</p>
      {viewer.current.emails.length > 0 && (
        <p className="hint">The address that this browser has confirmed is not among them.</p>
      )}
      <div ref={place} />
      {!isLost && <QuietButton onClick={ask}>Confirm my address instead</QuietButton>}
    </>
  )
}

/** The decision of the viewer, who is an approver. */
function OwnPart({ state, mine, context }: ApprovalProps & { mine: Mine }) {
  /** The version of a current decision that the approver wants to change. */
  const [changing, setChanging] = useState<number | null>(null)
  const { is_shown: isShown, version_no: version } = state
  const { decision, due_at: dueAt } = mine
  const isDone = decision?.is_current === true && changing !== decision.version_no
  return (
    <>
      <h3>{ownStateText(state, mine)}</h3>
      {decision !== null && (
        <div className="stack tight">
          <p className="hint">
            Decided <Time at={decision.decided_at} />.
          </p>
          <Note text={decision.note} />
        </div>
      )}
      {!isDone && dueAt !== null && (
        <p className="hint">
          Your decision is due <Time at={dueAt} />.
        </p>
      )}
      {decision !== null && !decision.is_current && (
        <Changes key={`${decision.version_no} ${version}`} context={context} />
      )}
      {!isShown && (
        <div className="stack">
          <p>The page has changed since you opened it. Look at it again before you decide.</p>
          <button type="button" className="button" onClick={() => location.reload()}>
            Reload the page
          </button>
        </div>
      )}
      {isShown && isDone && (
        <QuietButton onClick={() => setChanging(decision.version_no)}>
          Change my decision
        </QuietButton>
      )}
      {isShown && !isDone && <DecisionForm takesFocus={changing !== null} context={context} />}
    </>
  )
}

interface OwnersPartProps extends ApprovalProps {
  /** The addresses whose decision is missing. */
  waiting: string[]
}

/** A row for each approver, with the owner's actions. */
function OwnersPart({ state, waiting, context }: OwnersPartProps) {
  const { isBusy, problem, run } = useCall()
  const [notice, setNotice] = useState('')
  const decided = state.others ?? []
  // The owner has one.
  const record = state.record_path!
  const undecided = waiting.filter(
    (email) => email !== state.mine?.email && !decided.some((each) => each.email === email),
  )

  async function ask(): Promise<void> {
    const answer = await context.ownerCall<RequestResult>('POST', '/approvals/requests', {})
    setNotice(requestText(answer.asked.length, answer.not_admitted))
  }

  return (
    <div className="stack">
      <People title="Approvers">
        {undecided.map((email) => (
          <li key={email}>
            <b dir="auto">{email}</b>
            <p className="hint">Waiting</p>
          </li>
        ))}
        {decided.map((each) => (
          <Decided key={each.email} decision={each} now={state.version_no} />
        ))}
      </People>
      {waiting.length > 0 &&
        (context.sendsMails ? (
          <QuietButton onClick={() => run(ask)} isDisabled={isBusy}>
            Ask by mail
          </QuietButton>
        ) : (
          <p className="hint">
            This server sends no mail.{' '}
            <a href={record.replace(/.record$/, '')}>Copy links for them</a> instead.
          </p>
        ))}
      <p className="hint" role="status">
        {problem || notice}
      </p>
      <p>
        <a href={record}>Record of approvals</a>
      </p>
    </div>
  )
}

function People({ title, children }: { title: string; children: ComponentChildren }) {
  if ([children].flat(2).length === 0) return null
  return (
    <section className="stack tight" aria-label={title}>
      <h4>{title}</h4>
      <ul>{children}</ul>
    </section>
  )
}

/** What another approver has decided. @param now the published version */
function Decided({ decision, now }: { decision: Decision; now: number }) {
  return (
    <li>
      <b dir="auto">{decision.email}</b>
      <p className="hint">
        {decidedText(decision, now)} · <Time at={decision.decided_at} />
      </p>
      <Note text={decision.note} />
    </li>
  )
}

function Note({ text }: { text: string | null }) {
  return text === null ? null : <blockquote dir="auto">{text}</blockquote>
}

/** The text difference of two versions, once one asks for it. */
function Changes({ context }: Pick<ApprovalProps, 'context'>) {
  const [changes, setChanges] = useState<ApprovalChanges | null>(null)
  const { isBusy, problem, run } = useCall()
  const show = () =>
    run(async () => setChanges(await context.call<ApprovalChanges>('/~/approval-changes', {})))
  if (changes === null) {
    return (
      <div className="stack">
        <QuietButton onClick={show} isDisabled={isBusy}>
          Show what changed
        </QuietButton>
        <Alert>{problem}</Alert>
      </div>
    )
  }
  const { from_version_no: from, to_version_no: to, files, is_cut: isCut } = changes
  const title = `What changed from version ${from} to ${to}`
  return (
    <section className="changes stack tight" aria-label={title}>
      <h4>{title}</h4>
      {files === null && <p>Version {from} is no longer kept, so what changed cannot be shown.</p>}
      {files?.map((file) => (
        <File key={file.path} file={file} />
      ))}
      {isCut && <p className="hint">There are more changes than these.</p>}
    </section>
  )
}

function File({ file: { path, state, lines } }: { file: FileChange }) {
  return (
    <div className="file">
      {path !== '' && (
        <p className="hint" dir="auto">
          {STATES[state]}: {path}
        </p>
      )}
      {lines === null && <p>It has changed, and the difference cannot be shown as text.</p>}
      {lines?.length === 0 && <p>Its text is the same; its code or its style has changed.</p>}
      {lines?.map(({ kind, text }, at) => {
        const Line = LINE_ELEMENTS[kind]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text, which can be equal
          <Line key={at} className={kind} dir="auto">
            {kind === 'gap' ? '…' : text}
          </Line>
        )
      })}
    </div>
  )
}

const NOTE_LENGTH = 2000
const NEXT = 'The next page shows your decision once more. It counts once you confirm it there.'

interface DecisionFormProps {
  context: TabContext
  /** Whether the keyboard belongs to it as soon as it is shown. */
  takesFocus: boolean
}

/** The form of a decision. It keeps what was typed while the tab around it changes. */
function DecisionForm({ context, takesFocus }: DecisionFormProps) {
  // Kept while the visitor is on the page that confirms the decision.
  const draft = stored('sessionStorage', `handbill:approval-note:${context.pagePath}`)
  const note = useRef<HTMLTextAreaElement>(null)
  const [before] = useState(draft.read)
  const { isBusy, problem, run } = useCall()
  useLayoutEffect(() => {
    if (takesFocus) note.current?.focus()
  }, [takesFocus])

  async function choose(decision: Chosen['decision']): Promise<void> {
    const choice: Chosen = { decision, note: note.current?.value.trim() || null }
    const { confirm_path } = await context.call<{ confirm_path: string }>('/~/decisions', choice)
    // Our own page, where the decision is confirmed.
    location.assign(confirm_path)
  }
  return (
    // The Enter key must not choose a decision.
    <form className="stack" onSubmit={(event) => event.preventDefault()}>
      <Field label="Note" hint="optional">
        <textarea
          ref={note}
          name="note"
          rows={3}
          maxLength={NOTE_LENGTH}
          dir="auto"
          defaultValue={before ?? ''}
          onInput={({ currentTarget: field }) => {
            if (draft.write(field.value || null)) field.defaultValue = field.value
          }}
        />
      </Field>
      <div className="choices">
        <button
          type="button"
          className="button"
          aria-disabled={isBusy}
          onClick={() => isBusy || run(() => choose('approved'))}
        >
          Approve
        </button>
        <QuietButton onClick={() => run(() => choose('changes_requested'))} isDisabled={isBusy}>
          Request changes
        </QuietButton>
      </div>
      <p className="hint">{NEXT}</p>
      <Alert>{problem}</Alert>
    </form>
  )
}
