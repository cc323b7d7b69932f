import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import type { ResponseView } from './use-responses.ts'
import { type Choice, choiceText, type Field, fieldName, type Report } from './values.ts'

const TYPING_MS = 200
const MAX_TEXT = 200

interface FiltersProps {
  view: ResponseView
  report: Report
  /** Of the columns and of the items, where a list is split. */
  fields: readonly Field[]
}

/** The filters of the list. They are kept in the query of the address. */
export function Filters({ view, report, fields }: FiltersProps) {
  const { isFiltered, query, day, setDay, setSplit, toggle, clear } = view
  // If nothing matches, nothing can be split, but the chosen split stays visible.
  const lists = new Set([...report.explodable, ...(query.split === null ? [] : [query.split])])
  return (
    <div className="flex flex-wrap items-end gap-3">
      <div className="w-full sm:w-64">
        <TextFilter view={view} />
      </div>
      <div className="w-40">
        <TextField
          type="date"
          label="Since"
          value={day}
          onChange={(event) => setDay(event.target.value)}
        />
      </div>
      {lists.size > 0 && (
        <div className="w-44">
          <Select
            label="Split by"
            value={query.split ?? ''}
            onChange={(event) => setSplit(event.target.value)}
          >
            <option value="">No split</option>
            {[...lists].map((key) => (
              <option key={key} value={key}>
                {nameIn(report.fields, key)}
              </option>
            ))}
          </Select>
        </div>
      )}
      {query.choices.map((choice) => (
        <ChosenValue
          key={`${choice.key} ${choice.value}`}
          choice={choice}
          fields={fields}
          onRemove={() => toggle(choice)}
        />
      ))}
      {(isFiltered || day !== '') && (
        <Button look="quiet" onClick={clear}>
          Show all
        </Button>
      )}
    </div>
  )
}

interface ChosenValueProps {
  choice: Choice
  fields: readonly Field[]
  onRemove(): void
}

function ChosenValue({ choice, fields, onRemove }: ChosenValueProps) {
  const type = fields.find(({ key }) => key === choice.key)?.type
  const text = `${nameIn(fields, choice.key)}: ${choiceText(choice, type)}`
  return (
    <Button aria-label={`Do not filter by ${text}`} className="max-w-full" onClick={onRemove}>
      <span className="truncate" dir="auto">
        {text}
      </span>
      <X size={14} aria-hidden className="shrink-0" />
    </Button>
  )
}

function nameIn(fields: readonly Field[], wanted: string): string {
  const field = fields.find(({ key }) => key === wanted)
  return field ? fieldName(field) : wanted
}

/** Waits for a pause in the typing before it changes the address. */
function TextFilter({ view: { query, setText } }: { view: ResponseView }) {
  const { text: shown } = query
  const [text, setOwn] = useState(shown)
  useEffect(() => setOwn(shown), [shown])
  useEffect(() => {
    if (text === shown) return
    const timer = setTimeout(() => setText(text), TYPING_MS)
    return () => clearTimeout(timer)
  })
  return (
    <TextField
      type="search"
      label="Filter"
      placeholder="Words in any answer"
      maxLength={MAX_TEXT}
      value={text}
      onChange={(event) => setOwn(event.target.value)}
    />
  )
}
