import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { after, fromField, ownZone, SPANS, toField } from './dates.ts'
import { useSharing } from './sharing.ts'
import { type Parsed, useDraft } from './use-draft.ts'

interface DateFieldProps {
  name: 'expires_at' | 'poll_closes_at'
  label: string
  /** Of no date at all: `Never`. */
  never: string
  help?: ReactNode
  /** Whether a date can be removed, and not set. */
  isLocked?: boolean
}

const QUICK = 'min-h-7 px-2 py-0.5 text-13'

/** A time of the viewer's zone, with quick choices. */
export function DateField({ name, label, never, help, isLocked = false }: DateFieldProps) {
  const { page, save } = useSharing()
  const stored = page[name]
  const draft = useDraft({
    field: name,
    label,
    stored: toField(stored),
    parse: (text) => parseDate(name, text),
  })
  function choose(value: string | null): void {
    draft.reset()
    if (value !== stored) save(name, { [name]: value })
  }
  return (
    <div className="grid gap-2">
      <TextField
        label={label}
        type="datetime-local"
        help={help ?? `Times in ${ownZone()}.`}
        error={draft.error}
        disabled={isLocked}
        className="tabular-nums"
        {...draft.props}
      />
      <div className="-ml-2 flex flex-wrap">
        {SPANS.map((span) => (
          <Button
            key={span}
            look="quiet"
            className={QUICK}
            disabled={isLocked}
            onClick={() => choose(after(span))}
          >
            {span}
          </Button>
        ))}
        <Button
          look="quiet"
          className={QUICK}
          disabled={stored === null && draft.text === ''}
          onClick={() => choose(null)}
        >
          {never}
        </Button>
      </div>
    </div>
  )
}

function parseDate(name: string, text: string): Parsed {
  if (text === '') return { values: { [name]: null } }
  const value = fromField(text)
  return value === null
    ? { problem: 'Give a whole date and a time.' }
    : { values: { [name]: value } }
}
