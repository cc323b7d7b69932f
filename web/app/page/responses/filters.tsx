import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import type { ResponseView } from './use-responses.ts'
import { type Field, fieldName, type Report } from './values.ts'

const TYPING_MS = 200

interface FiltersProps {
  view: ResponseView
  report: Report
  /** Of the columns and of the items, where a list is split. */
  fields: readonly Field[]
}

/** What of the responses is shown. It stands in the address. */
export function Filters({ view, report, fields }: FiltersProps) {
  const { filter, query, day, setDay, setSplit, toggle, clear } = view
  const { explodable } = report
  const isChanged = filter.text !== '' || filter.choices.length > 0 || day !== ''
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
      {explodable.length > 0 && (
        <div className="w-44">
          <Select
            label="Split by"
            value={query.split ?? ''}
            onChange={(event) => setSplit(event.target.value)}
          >
            <option value="">No split</option>
            {explodable.map((key) => (
              <option key={key} value={key}>
                {nameIn(report.fields, key)}
              </option>
            ))}
          </Select>
        </div>
      )}
      {filter.choices.map((choice) => (
        <Button
          key={`${choice.key} ${choice.value}`}
          aria-label={`Do not filter by ${nameIn(fields, choice.key)}: ${choice.value}`}
          className="max-w-full"
          onClick={() => toggle(choice)}
        >
          <span className="truncate" dir="auto">
            {nameIn(fields, choice.key)}: {choice.value}
          </span>
          <X size={14} aria-hidden className="shrink-0" />
        </Button>
      ))}
      {isChanged && (
        <Button look="quiet" onClick={clear}>
          Show all
        </Button>
      )}
    </div>
  )
}

function nameIn(fields: readonly Field[], wanted: string): string {
  const field = fields.find(({ key }) => key === wanted)
  return field ? fieldName(field) : wanted
}

/** Waits for a pause in the typing before it changes the address. */
function TextFilter({ view: { filter, setText } }: { view: ResponseView }) {
  const [text, setOwn] = useState(filter.text)
  const { text: shown } = filter
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
      value={text}
      onChange={(event) => setOwn(event.target.value)}
    />
  )
}
