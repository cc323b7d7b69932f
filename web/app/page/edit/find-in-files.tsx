import { X } from 'lucide-preact'
import { useState } from 'preact/compat'
import { count } from '../../../../src/model/numbers.ts'
import { focusOnce } from '../../hooks.ts'
import { useStore } from '../../store.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Note, TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import type { Place } from './code-mirror.ts'
import { type Draft, type TextFile, withText } from './draft.ts'
import type { EditSession } from './session.ts'

const SHOWN = 100

interface FindInFilesProps {
  session: EditSession
  onGoTo(path: string, place: Place): void
  onClose(): void
}

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
            onText={setText}
            onKeyDown={(event) => event.key === 'Escape' && onClose()}
          />
          <TextField
            label="Replace with"
            value={replacement}
            onText={setReplacement}
            onKeyDown={(event) => event.key === 'Escape' && onClose()}
          />
        </div>
        <IconButton label="Close the search" icon={X} size={18} onClick={onClose} />
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button disabled={total === 0} onClick={replace}>
          Replace all
        </Button>
        <label className="inline-flex items-center gap-2 text-13">
          <input
            type="checkbox"
            checked={isCaseSensitive}
            onChange={(event) => setCaseSensitive(event.currentTarget.checked)}
          />
          Match case
        </label>
        <Note role="status">{text !== '' && foundText(total, files)}</Note>
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
              <mark className="bg-[light-dark(#f6dfa4,#5d4a17)] text-ink">{match.match}</mark>
              {match.after}
            </code>
          </button>
        </li>
      ))}
    </ul>
  )
}

export interface Match {
  path: string
  /** From 1, as the editor counts. */
  line: number
  /** From 0, in the line. */
  column: number
  length: number
  /** The text of the line around it, cut short. */
  before: string
  match: string
  after: string
}

interface Query {
  text: string
  isCaseSensitive: boolean
}

const AROUND_CHARS = 40
const MAX_MATCH_CHARS = 80

function pattern({ text, isCaseSensitive }: Query): RegExp {
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(escaped, isCaseSensitive ? 'gu' : 'giu')
}

/** The texts that are searched: all HTML files, and the assets that have been opened. */
function texts({ files, assets }: Draft): { path: string; text: string }[] {
  return [...files, ...assets].filter((one): one is TextFile => one.text !== undefined)
}

/** All places of a text, file by file. @param limit how many are described; all are counted */
export function findAll(draft: Draft, query: Query, limit: number) {
  const matches: Match[] = []
  let total = 0
  const paths = new Set<string>()
  if (query.text === '') return { matches, total, files: 0 }
  for (const { path, text } of texts(draft)) {
    let line = 1
    let position = 0
    for (const { index: from, 0: match } of text.matchAll(pattern(query))) {
      total += 1
      paths.add(path)
      if (matches.length >= limit) continue
      for (; position < from; position += 1) if (text[position] === '\n') line += 1
      const column = from - lineStartOf(text, from)
      const length = match.length
      matches.push({ path, line, column, length, ...around(text, from, from + length) })
    }
  }
  return { matches, total, files: paths.size }
}

function lineStartOf(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
}

function around(text: string, from: number, to: number) {
  const start = Math.max(lineStartOf(text, from), from - AROUND_CHARS)
  const lineEnd = text.indexOf('\n', to)
  const end = Math.min(lineEnd === -1 ? text.length : lineEnd, to + AROUND_CHARS)
  return {
    before: text.slice(start, from).trimStart(),
    match: text.slice(from, Math.min(to, from + MAX_MATCH_CHARS)),
    after: text.slice(to, end).trimEnd(),
  }
}

export function replaceAll(draft: Draft, query: Query, replacement: string): Draft {
  if (query.text === '') return draft
  return texts(draft).reduce((changed, { path, text }) => {
    const next = text.replace(pattern(query), () => replacement)
    return next === text ? changed : withText(changed, path, next)
  }, draft)
}
