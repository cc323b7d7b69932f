import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Chosen } from '../../../src/features/approvals/contract.ts'
import { stored } from '../../stored.ts'
import { Alert, Field, QuietButton, useCall } from '../components.tsx'
import type { TabContext } from '../tab.ts'

const NOTE_LENGTH = 2000
const NEXT = 'The next page shows your decision once more. It counts once you confirm it there.'

interface DecisionFormProps {
  context: TabContext
  /** Whether the keyboard belongs to it as soon as it is shown. */
  takesFocus: boolean
}

/** The form of a decision. It keeps what was typed while the tab around it changes. */
export function DecisionForm({ context, takesFocus }: DecisionFormProps) {
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
          defaultValue={draft.read() ?? before ?? ''}
          onInput={({ currentTarget: { value } }) => draft.write(value || null)}
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
