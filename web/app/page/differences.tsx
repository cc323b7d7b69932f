import { Note } from '../ui/field.tsx'
import type { Changes } from './use-page.ts'

type FileChange = Changes['files'][number]
type Line = NonNullable<FileChange['lines']>[number]

const STATES: Record<FileChange['state'], string> = {
  added: 'added',
  removed: 'removed',
  changed: 'changed',
}

/** The difference in the text that readers see: a plus marks added text, a minus removed text. */
export function Differences({ changes }: { changes: Changes }) {
  const { files, is_cut: isCut } = changes
  if (files.length === 0) {
    return (
      <p className="text-muted">
        The text that readers see is the same. What differs is markup, style or script.
      </p>
    )
  }
  return (
    <div className="grid gap-4">
      {files.map((file) => (
        <section key={file.path} aria-label={file.path || 'Text'}>
          {file.path && (
            <h3 className="mb-1 flex gap-2 text-13">
              <span className="min-w-0 truncate font-mono">{file.path}</span>
              <span className="text-muted">{STATES[file.state]}</span>
            </h3>
          )}
          {file.lines === null ? (
            <Note>
              {file.state === 'changed'
                ? 'It has no text to compare, or too much of it has changed.'
                : 'Its text is not shown.'}
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

const LOOKS: Record<Line['kind'], { sign: string; word: string; row: string }> = {
  added: { sign: '+', word: 'Added', row: 'bg-[light-dark(#e6f1e6,#1d2b20)]' },
  removed: { sign: '−', word: 'Removed', row: 'bg-[light-dark(#fae8e5,#33201d)]' },
  same: { sign: '', word: '', row: 'text-muted' },
  gap: { sign: '', word: 'Unchanged text is left out', row: 'text-muted' },
}

function Lines({ lines }: { lines: Line[] }) {
  return (
    <ol className="overflow-hidden rounded-card border border-line bg-raised py-1">
      {lines.map(({ kind, text }, at) => {
        const { sign, word, row } = LOOKS[kind]
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
              className={`min-w-0 flex-1 break-words ${kind === 'removed' ? 'line-through decoration-1' : 'no-underline'}`}
            >
              {kind === 'gap' ? '⋯' : text}
            </Text>
          </li>
        )
      })}
    </ol>
  )
}
