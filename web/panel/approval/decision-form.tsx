import { useLayoutEffect, useRef, useState } from 'preact/compat'
import type { Chosen } from '../../../src/features/approvals/contract.ts'
import { stored } from '../../stored.ts'
import { Alert, Field, QuietButton } from '../components.tsx'
import type { TabContext } from '../tab.ts'

const NOTE_LENGTH = 2000
const IN_BROWSER =
  'The next page shows your decision once more. It counts once you confirm it there.'
const BY_MAIL = 'We mail you a link. Your decision counts once you confirm it there.'

interface DecisionFormProps extends Pick<TabContext, 'announce' | 'pagePath'> {
  /** The viewer has confirmed no approver's address, so the decision is confirmed by mail. */
  asksEmail: boolean
  /** Whether the keyboard belongs to it as soon as it is shown. */
  takesFocus?: boolean
  decide(chosen: Chosen): Promise<'left' | 'mailed'>
}

/** The form of a decision. It keeps what was typed while the tab around it changes. */
export function DecisionForm(props: DecisionFormProps) {
  const { asksEmail, takesFocus = false, decide, announce, pagePath } = props
  // Kept while the visitor is on the page that confirms the decision.
  const draft = stored('sessionStorage', `handbill:approval-note:${pagePath}`)
  const note = useRef<HTMLTextAreaElement>(null)
  const email = useRef<HTMLInputElement>(null)
  const [before] = useState(draft.read)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  /** The address that the link went to. */
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [isAgain, setAgain] = useState(false)
  const typedEmail = useRef('')
  useLayoutEffect(() => {
    if (takesFocus) note.current?.focus()
  }, [takesFocus])
  useLayoutEffect(() => {
    if (isAgain && sentTo === null) email.current?.focus()
  }, [isAgain, sentTo])

  async function choose(decision: Chosen['decision']): Promise<void> {
    const address = email.current
    if (isBusy || (address !== null && !address.reportValidity())) return
    setBusy(true)
    setProblem('')
    try {
      const to = address?.value.trim() ?? null
      const outcome = await decide({
        decision,
        note: note.current?.value.trim() || null,
        email: to,
      })
      if (outcome === 'mailed') {
        setSentTo(to)
        announce('A mail with a link is on its way')
      }
    } catch (err) {
      setProblem((err as Error).message)
    }
    setBusy(false)
  }

  if (sentTo !== null && asksEmail) {
    return (
      <Sent
        address={sentTo}
        onAgain={() => {
          setSentTo(null)
          setAgain(true)
        }}
      />
    )
  }
  return (
    // The Enter key must not choose a decision.
    <form className="stack" onSubmit={(event) => event.preventDefault()}>
      {asksEmail && (
        <Field label="Your email">
          {(names) => (
            <input
              {...names}
              ref={email}
              type="email"
              name="email"
              autoComplete="email"
              maxLength={320}
              required
              defaultValue={typedEmail.current}
              onInput={({ currentTarget: { value } }) => {
                typedEmail.current = value
              }}
            />
          )}
        </Field>
      )}
      <Field label="Note" hint="optional">
        {(names) => (
          <textarea
            {...names}
            ref={note}
            name="note"
            rows={3}
            maxLength={NOTE_LENGTH}
            dir="auto"
            defaultValue={draft.read() ?? before ?? ''}
            onInput={({ currentTarget: { value } }) => draft.write(value || null)}
          />
        )}
      </Field>
      <div className="choices">
        <button
          type="button"
          className="button"
          disabled={isBusy}
          onClick={() => choose('approved')}
        >
          Approve
        </button>
        <QuietButton onClick={() => choose('changes_requested')} isDisabled={isBusy}>
          Request changes
        </QuietButton>
      </div>
      <p className="hint">{asksEmail ? BY_MAIL : IN_BROWSER}</p>
      <Alert>{problem}</Alert>
    </form>
  )
}

/** The same words for every address: they do not reveal whether it is an approver's. */
function Sent({ address, onAgain }: { address: string; onAgain(): void }) {
  return (
    <div className="stack">
      <p>
        If <b dir="auto">{address}</b> was asked to approve this page, a mail with a link is on its
        way.
      </p>
      <p className="hint">
        Your decision counts once you confirm it there. The link works once, for 15 minutes.
      </p>
      <QuietButton onClick={onAgain}>Change and send again</QuietButton>
    </div>
  )
}
