import { useMemo } from 'preact/compat'
import { useModule } from '../hooks.ts'
import { Note } from '../ui/field.tsx'
import type { Changes } from './use-page.ts'
import type { Line, Part } from './word-changes.ts'

/** The difference in the text that readers see: a plus marks added text, a minus removed text. */
export function Differences({ changes }: { changes: Changes }) {
  const { files, is_cut: isCut } = changes
  if (files.length === 0) return <p className="text-muted">Both have the same content.</p>
  return (
    <div className="grid gap-4">
      {files.map((file) => (
        <section key={file.path} aria-label={file.path || 'Text'}>
          {file.path && (
            <h3 className="mb-1 flex gap-2 text-13">
              <span className="min-w-0 truncate font-mono">{file.path}</span>
              <span className="text-muted">{file.state}</span>
            </h3>
          )}
          {file.lines === null ? (
            <Note>
              {file.state === 'changed'
                ? 'It has no text to compare, or too much of it has changed.'
                : 'Its text is not shown.'}
            </Note>
          ) : file.lines.every(({ kind }) => kind === 'gap') ? (
            <Note>
              The text that readers see is the same. What differs is markup, style or script.
            </Note>
          ) : (
            <Lines lines={file.lines} />
          )}
        </section>
      ))}
      {isCut && <Note>There are more changes than these.</Note>}
    </div>
  )
}

const loadWordChanges = () => import('./word-changes.ts')

/** How a line of each kind is shown, and in it the words that changed: its `mark`. */
const LOOKS = {
  added: {
    ...{ sign: '+', word: 'Added', row: 'bg-[light-dark(#e6f1e6,#1d2b20)]' },
    mark: 'rounded-sm bg-[light-dark(#bfdfc1,#2f5236)] text-inherit',
  },
  removed: {
    ...{ sign: '−', word: 'Removed', row: 'bg-[light-dark(#fae8e5,#33201d)]' },
    mark: 'rounded-sm bg-[light-dark(#f2c4bc,#663530)] text-inherit line-through decoration-1',
  },
  same: { sign: '', word: '', row: 'text-muted', mark: '' },
  gap: { sign: '', word: 'Unchanged text is left out', row: 'text-muted', mark: '' },
} satisfies Record<Line['kind'], object>

function Lines({ lines }: { lines: Line[] }) {
  // Until it is loaded, or without it, whole lines are shown.
  const compare = useModule(loadWordChanges)
  const words = useMemo(() => compare?.wordChanges(lines), [compare, lines])
  return (
    <ol className="overflow-hidden rounded-card border border-line bg-raised py-1">
      {lines.map(({ kind, text }, at) => {
        const { sign, word, row, mark } = LOOKS[kind]
        const parts = words?.get(at)
        const Text = kind === 'added' ? 'ins' : kind === 'removed' ? 'del' : 'span'
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of one answer, which never move
          <li key={at} className={`flex gap-3 px-3 py-0.5 ${row}`}>
            <span aria-hidden className="w-3 shrink-0 text-center font-mono font-semibold">
              {sign}
            </span>
            <span className="sr-only">{word}</span>
            <Text
              dir="auto"
              className={`min-w-0 flex-1 break-words ${kind === 'removed' && !parts ? 'line-through decoration-1' : 'no-underline'}`}
            >
              {kind === 'gap' ? '⋯' : parts ? <Marked parts={parts} mark={mark} /> : text}
            </Text>
          </li>
        )
      })}
    </ol>
  )
}

function Marked({ parts, mark }: { parts: Part[]; mark: string }) {
  return parts.map(({ text, isChanged }, at) =>
    isChanged ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one line, which never move
      <mark key={at} className={mark}>
        {text}
      </mark>
    ) : (
      text
    ),
  )
}
