import { X } from 'lucide-react'
import { useState } from 'react'
import { count } from '../../../../src/model/numbers.ts'
import { useStore } from '../../store.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import type { Place } from './code-mirror.ts'
import { findAll, type Match, replaceAll } from './find.ts'
import type { EditSession } from './session.ts'

const SHOWN = 100

interface FindInFilesProps {
  session: EditSession
  onGoTo(path: string, place: Place): void
  onClose(): void
}

/** Finds and replaces a text in all files of a deck. */
export function FindInFiles({ session, onGoTo, onClose }: FindInFilesProps) {
  const { work } = useStore(session)
  const [text, setText] = useState('')
  const [replacement, setReplacement] = useState('')
  const [isCaseSensitive, setCaseSensitive] = useState(false)
  const query = { text, isCaseSensitive }
  const { matches, total, files } = findAll(work, query, SHOWN)

  function replace(): void {
    const before = session.get().work
    session.edit(replaceAll(before, query, replacement))
    showToast(`${count(total, 'place')} replaced in ${count(files, 'file')}`, {
      undo: () => session.edit(before),
    })
  }
  return (
    <search className="grid gap-3 rounded-card border border-line bg-raised p-4">
      <div className="flex items-start gap-3">
        <div className="grid flex-1 gap-3 sm:grid-cols-2">
          <TextField
            label="Find in all files"
            value={text}
            ref={focusOnce}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && onClose()}
          />
          <TextField
            label="Replace with"
            value={replacement}
            onChange={(event) => setReplacement(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && onClose()}
          />
        </div>
        <IconButton label="Close the search" onClick={onClose}>
          <X size={18} />
        </IconButton>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button disabled={total === 0} onClick={replace}>
          Replace all
        </Button>
        <label className="inline-flex items-center gap-2 text-13">
          <input
            type="checkbox"
            checked={isCaseSensitive}
            onChange={(event) => setCaseSensitive(event.target.checked)}
          />
          Match case
        </label>
        <p role="status" className="text-13 text-muted">
          {text !== '' && foundText(total, files)}
        </p>
      </div>
      {matches.length > 0 && <Matches matches={matches} onGoTo={onGoTo} />}
    </search>
  )
}

function foundText(total: number, files: number): string {
  if (total === 0) return 'Nothing found'
  const more = total > SHOWN ? `, the first ${SHOWN} below` : ''
  return `${count(total, 'place')} in ${count(files, 'file')}${more}`
}

function Matches({ matches, onGoTo }: { matches: Match[]; onGoTo: FindInFilesProps['onGoTo'] }) {
  return (
    <ul aria-label="Places found" className="max-h-56 divide-y divide-line overflow-y-auto">
      {matches.map((match) => (
        <li key={`${match.path} ${match.line} ${match.column}`}>
          <button
            type="button"
            onClick={() => onGoTo(match.path, match)}
            className="flex w-full min-w-0 items-baseline gap-3 rounded-control px-1 py-1 text-left text-13 hover:bg-sunk"
          >
            <span className="w-36 shrink-0 truncate text-muted tabular-nums max-sm:w-24">
              {match.path}:{match.line}
            </span>
            <code className="min-w-0 flex-1 truncate" dir="auto">
              {match.before}
              <mark className="bg-[light-dark(#f6dfa4,#5d4a17)] text-ink">{match.found}</mark>
              {match.after}
            </code>
          </button>
        </li>
      ))}
    </ul>
  )
}

function focusOnce(element: HTMLInputElement | null): void {
  element?.focus()
}
