import { ArrowDown, ArrowUp, Ellipsis, Plus, X } from 'lucide-preact'
import { useRef } from 'preact/compat'
import { MAX_POLL_OPTION, POLL_OPTIONS } from '../../../../../src/model/page/facts.ts'
import { QuietButton } from '../../../ui/button.tsx'
import { INPUT, Problem } from '../../../ui/field.tsx'
import { Menu } from '../../../ui/menu.tsx'

interface OptionRowsProps {
  rows: string[]
  error: string | null | undefined
  /** @param isDone false while one types */
  onChange(rows: string[], isDone: boolean): void
  onBlur(): void
}

/** The options of a poll: one row each, to type, move and remove. Enter goes on to the next. */
export function OptionRows({ rows, error, onChange, onBlur }: OptionRowsProps) {
  const list = useRef<HTMLUListElement>(null)
  /** Puts the keyboard into a row once it is there. */
  const focusRow = (at: number) =>
    requestAnimationFrame(() => list.current?.querySelectorAll('input')[at]?.focus())

  const move = (at: number, to: number) => ({
    isDisabled: to < 0 || to >= rows.length,
    onSelect: () => onChange(moveRow(rows, at, to), true),
  })

  function add(): void {
    const empty = rows.findIndex((row) => row.trim() === '')
    if (empty === -1 && rows.length >= POLL_OPTIONS.max) return
    if (empty === -1) onChange([...rows, ''], false)
    focusRow(empty === -1 ? rows.length : empty)
  }
  function press(event: KeyboardEvent, at: number): void {
    if (event.key === 'Enter') {
      event.preventDefault()
      if (at + 1 < rows.length) focusRow(at + 1)
      else add()
    }
    if (event.key === 'Backspace' && rows[at] === '' && rows.length > POLL_OPTIONS.min) {
      event.preventDefault()
      onChange(rows.toSpliced(at, 1), true)
      focusRow(Math.max(0, at - 1))
    }
  }
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-13 font-medium">Options</legend>
      <ul ref={list} className="grid gap-2">
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place, and its text changes
          <li key={at} className="flex items-center gap-1">
            <input
              aria-label={`Option ${at + 1}`}
              className={INPUT}
              dir="auto"
              value={row}
              aria-invalid={error ? true : undefined}
              onChange={({ currentTarget }) => onChange(rows.with(at, currentTarget.value), false)}
              onBlur={onBlur}
              onKeyDown={(event) => press(event, at)}
            />
            <Menu
              label={`Move or remove option ${at + 1}`}
              icon={Ellipsis}
              items={[
                { label: 'Move up', icon: ArrowUp, ...move(at, at - 1) },
                { label: 'Move down', icon: ArrowDown, ...move(at, at + 1) },
                {
                  label: 'Remove',
                  icon: X,
                  isDisabled: rows.length <= POLL_OPTIONS.min,
                  onSelect: () => onChange(rows.toSpliced(at, 1), true),
                },
              ]}
            />
          </li>
        ))}
      </ul>
      <Problem error={error} />
      <QuietButton
        className="justify-self-start"
        icon={Plus}
        disabled={rows.length >= POLL_OPTIONS.max}
        onClick={add}
      >
        {rows.length >= POLL_OPTIONS.max ? `${POLL_OPTIONS.max} options, the most` : 'Add option'}
      </QuietButton>
    </fieldset>
  )
}

export function filledOptions(rows: readonly string[]): string[] {
  return rows.map((row) => row.normalize('NFC').trim()).filter((row) => row !== '')
}

/** What keeps the rows from being options of a poll; null where nothing does. */
export function problemOf(rows: readonly string[]): string | null {
  const options = filledOptions(rows)
  const { min } = POLL_OPTIONS
  if (options.length < min) return `A poll has at least ${min} options.`
  const twice = options.find((option, i) => options.indexOf(option) < i)
  if (twice !== undefined) return `“${twice}” is there twice.`
  const long = options.find((option) => [...option].length > MAX_POLL_OPTION)
  if (long !== undefined) return `An option has at most ${MAX_POLL_OPTION} characters.`
  return null
}

export function moveRow(rows: readonly string[], from: number, to: number): string[] {
  return rows.toSpliced(from, 1).toSpliced(to, 0, rows[from]!)
}
