import { type ReactNode, useId, useState } from 'react'
import type { Page } from '../../../boot.ts'
import { Button } from '../../../ui/button.tsx'
import { ACCESS_PHRASES } from '../../words.ts'
import { Unfolded } from '../section.tsx'
import { Refusal } from '../setting-switch.tsx'
import { useSharing } from '../sharing.ts'
import { consequenceOf, EXPLANATIONS } from './consequences.ts'
import { EmailGate } from './email-gate.tsx'
import { Password } from './password.tsx'
import { People } from './people.tsx'

type Access = Page['access']

const FIELDS: Partial<Record<Access, () => ReactNode>> = {
  people: People,
  password: Password,
  email_gate: EmailGate,
}

/** Who may open the page: five choices. The selected one unfolds its fields. */
export function Access() {
  const { page, saved, save } = useSharing()
  /** The access before the last change, to say what it changed and to take it back. */
  const [before, setBefore] = useState<Access | null>(null)
  function choose(access: Access): void {
    setBefore(page.access)
    save('access', { access })
  }
  return (
    <fieldset className="grid grid-cols-1 pb-5">
      <legend className="mb-2 font-serif text-17 font-medium">Who may open it</legend>
      {(Object.keys(ACCESS_PHRASES) as Access[]).map((access) => (
        <Choice
          key={access}
          access={access}
          isChosen={page.access === access}
          onChoose={() => choose(access)}
        >
          {before !== null && page.access === saved.access && (
            <Consequence from={before} onUndo={() => [choose(before), setBefore(null)]} />
          )}
        </Choice>
      ))}
      <Refusal field="access" />
    </fieldset>
  )
}

interface ChoiceProps {
  access: Access
  isChosen: boolean
  onChoose(): void
  children: ReactNode
}

function Choice({ access, isChosen, onChoose, children }: ChoiceProps) {
  const id = useId()
  const Fields = isChosen ? FIELDS[access] : undefined
  return (
    <div>
      <div className="relative flex gap-3 py-1.5 pointer-coarse:py-2.5">
        <input
          type="radio"
          id={id}
          name="access"
          checked={isChosen}
          onChange={onChoose}
          aria-describedby={`${id}-note`}
          ref={isChosen ? focusFirst : undefined}
          className="relative z-1 mt-1 size-4 shrink-0 accent-accent"
        />
        <div className="min-w-0">
          {/* The whole row is the label’s. */}
          <label htmlFor={id} className="font-medium after:absolute after:inset-0">
            {ACCESS_PHRASES[access]}
          </label>
          <p id={`${id}-note`} className="text-13 text-muted">
            {EXPLANATIONS[access]}
          </p>
        </div>
      </div>
      {isChosen && (
        <div className="ml-7 grid grid-cols-1 gap-3 not-empty:mt-1 not-empty:mb-3">
          {children}
          {Fields && (
            <Unfolded>
              <Fields />
            </Unfolded>
          )}
        </div>
      )}
    </div>
  )
}

/** The dialog puts the focus here when it opens. */
function focusFirst(radio: HTMLInputElement | null): void {
  radio?.toggleAttribute('autofocus', true)
}

function Consequence({ from, onUndo }: { from: Access; onUndo(): void }) {
  const { page } = useSharing()
  const text = consequenceOf(from, page.access, page)
  return (
    text && (
      <div className="flex flex-wrap items-center justify-between gap-x-3 rounded-control bg-sunk py-1 pr-1 pl-3 text-13">
        <p role="status">{text}</p>
        <Button look="quiet" className="text-13" onClick={onUndo}>
          Undo
        </Button>
      </div>
    )
  )
}
