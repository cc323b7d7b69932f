import { FileText, FolderOpen, X } from 'lucide-react'
import { useDeferredValue, useId, useMemo } from 'react'
import { SourceButtons } from '../publishing/source-buttons.tsx'
import { groupFiles, type Source } from '../publishing/sources.ts'
import { IconButton } from '../ui/button.tsx'
import { INPUT } from '../ui/field.tsx'
import { count, formatBytes } from '../ui/text.ts'
import type { NewPage } from './draft.ts'
import { type Recognised, recognise } from './recognise.ts'

interface ContentFieldProps {
  draft: NewPage
  onChange(change: Partial<NewPage>): void
}

/** The box for text, or the files in its place. */
export function ContentField({ draft, onChange }: ContentFieldProps) {
  const id = useId()
  const { html, format, sources } = draft
  const take = (found: Source[]) => found.length > 0 && onChange({ sources: found })
  if (sources.length > 0) {
    return <Chosen sources={sources} onRemove={() => onChange({ sources: [] })} />
  }
  return (
    <div className="grid gap-2">
      <label htmlFor={id} className="text-13 font-medium">
        HTML
      </label>
      <textarea
        id={id}
        rows={12}
        spellCheck={false}
        autoComplete="off"
        dir="auto"
        aria-describedby={`${id}-found`}
        placeholder="Paste HTML or Markdown, or drop a file or a folder"
        value={html}
        onChange={({ target }) => onChange({ html: target.value })}
        onPaste={(event) => {
          if (event.clipboardData.files.length === 0) return
          event.preventDefault()
          take(groupFiles([...event.clipboardData.files]))
        }}
        className={`${INPUT} font-mono text-13!`}
      />
      <div id={`${id}-found`} className="min-h-5 text-13 text-muted">
        {html.trim() === '' ? (
          'Handbill recognises HTML and Markdown.'
        ) : (
          <Found text={html} format={format} onFormat={(next) => onChange({ format: next })} />
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <SourceButtons onChoose={take} />
      </div>
    </div>
  )
}

/** What the text is, and what in it will not work. */
function Found({
  text,
  format,
  onFormat,
}: {
  text: string
  format: NewPage['format']
  onFormat(format: NewPage['format']): void
}) {
  const latest = useDeferredValue(text)
  const found = useMemo(() => recognise(latest, format ?? undefined), [latest, format])
  return (
    <>
      <p role="status">
        {sentenceAbout(found, text)}{' '}
        <button
          type="button"
          className="link"
          onClick={() => onFormat(found.format === 'html' ? 'markdown' : 'html')}
        >
          {found.format === 'html' ? 'It is Markdown' : 'It is HTML'}
        </button>
      </p>
      {found.warnings.length > 0 && (
        <ul className="mt-1 list-disc pl-5 text-ink">
          {found.warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
    </>
  )
}

function sentenceAbout({ format, title, collectsResponses }: Recognised, text: string): string {
  const kind = format === 'html' ? 'HTML' : 'Markdown, shown as a readable page'
  const named = title === null ? 'without a title' : `“${title}”`
  const size = formatBytes(new Blob([text]).size)
  return `${kind}, ${named}, ${size}.${collectsResponses ? ' It collects responses.' : ''}`
}

function Chosen({ sources, onRemove }: { sources: Source[]; onRemove(): void }) {
  return (
    <section aria-label="Chosen files" className="rounded-card border border-line">
      <ul>
        {sources.map((source) => (
          <li
            key={source.name}
            className="flex items-center gap-3 border-line px-4 py-3 not-last:border-b"
          >
            {source.isFolder ? (
              <FolderOpen size={18} aria-hidden className="text-muted" />
            ) : (
              <FileText size={18} aria-hidden className="text-muted" />
            )}
            <span className="min-w-0 flex-1 truncate" dir="auto">
              {source.name}
            </span>
            <span className="text-13 text-muted">{sizeOf(source)}</span>
          </li>
        ))}
      </ul>
      <div className="flex items-center justify-between gap-4 border-t border-line py-1 pr-1 pl-4 text-13 text-muted">
        {sources.length === 1 ? 'One page' : `${count(sources.length, 'page')}, one for each`}
        <IconButton label="Choose something else" onClick={onRemove}>
          <X size={16} />
        </IconButton>
      </div>
    </section>
  )
}

function sizeOf({ files }: Source): string {
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
  const size = formatBytes(bytes)
  return files.length === 1 ? size : `${count(files.length, 'file')}, ${size}`
}
