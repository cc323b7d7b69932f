import { useMutation } from '@tanstack/react-query'
import { FileText, FolderOpen, X } from 'lucide-react'
import { useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import {
  describeEntry,
  describeLeftOut,
  mayLackFiles,
} from '../../../src/client/content/left-out.ts'
import { ApiError } from '../../../src/client/index.ts'
import { count, formatBytes } from '../../../src/model/numbers.ts'
import { useAccount } from '../account.ts'
import { messageOf } from '../api.ts'
import { Screen } from '../frame/screen.tsx'
import { ACCESS_PHRASES } from '../page/words.ts'
import { dropTarget, usePublishSources } from '../publishing/drop-zone.tsx'
import type { Progress, Settings } from '../publishing/publish.ts'
import { SourceButtons } from '../publishing/source-buttons.tsx'
import { groupFiles, type Source } from '../publishing/sources.ts'
import { useStore } from '../store.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { INPUT, Select, TextArea, TextField } from '../ui/field.tsx'
import { showToast } from '../ui/toast.tsx'
import { isInUse, type NewPage, NO_PAGE, newPage } from './draft.ts'
import { type Recognised, recognise } from './recognise.ts'

/** Makes a page of what is pasted, typed or chosen. */
export default function NewPageScreen() {
  const draft = useStore(newPage)
  const set = (change: Partial<NewPage>) => newPage.set({ ...newPage.get(), ...change })
  const { mutate, error, isPending, progress, cancel } = useMakePage()
  const publishSources = usePublishSources()
  const [, navigate] = useLocation()
  useEffect(() => {
    dropTarget.set((sources) => newPage.set({ ...newPage.get(), sources }))
    return () => dropTarget.set(null)
  }, [])
  const isMany = draft.sources.length > 1
  const problem = error && error.name !== 'AbortError' ? error : null
  const param = problem instanceof ApiError ? problem.param : undefined
  const isAbout = (name: string) => (param === name ? messageOf(problem) : null)

  function submit(isDraft: boolean): void {
    if (!isMany) {
      mutate(isDraft)
      return
    }
    publishSources(draft.sources)
    newPage.set(NO_PAGE)
    navigate('')
  }
  return (
    <Screen title="New page">
      <form
        className="grid max-w-2xl gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          submit(false)
        }}
      >
        <ContentField draft={draft} onChange={set} />
        {!isMany && (
          <>
            <TextField
              label="Title"
              help="Left empty, it is taken from the page."
              maxLength={200}
              dir="auto"
              autoComplete="off"
              value={draft.title}
              onText={(title) => set({ title })}
              error={isAbout('title')}
            />
            <AccessField draft={draft} onChange={set} errorOf={isAbout} />
          </>
        )}
        {problem && !['title', 'password', 'allowed_emails'].includes(param ?? '') && (
          <p role="alert" className="text-danger">
            {messageOf(problem)}
          </p>
        )}
        {isPending ? (
          <Sending progress={progress} onCancel={cancel} />
        ) : (
          <div className="flex flex-wrap gap-2">
            <Button type="submit" look="primary" disabled={!isInUse()}>
              {isMany ? `Publish ${count(draft.sources.length, 'page')}` : 'Publish'}
            </Button>
            {!isMany && (
              <Button disabled={!isInUse()} onClick={() => submit(true)}>
                Save as draft
              </Button>
            )}
          </div>
        )}
      </form>
    </Screen>
  )
}

/** Publishes what the draft has, or saves it as a draft, and opens the page. */
function useMakePage() {
  const account = useAccount()
  const [, navigate] = useLocation()
  const [progress, setProgress] = useState<Progress | null>(null)
  const stop = useRef(new AbortController())
  const make = useMutation({
    mutationFn: async (isDraft: boolean) => {
      stop.current = new AbortController()
      setProgress(null)
      const { signal } = stop.current
      const draft = newPage.get()
      const [{ publish }, { readDraft }] = await Promise.all([
        import('../publishing/publish.ts'),
        import('./read-draft.ts'),
      ])
      const title = draft.title.trim()
      const settings = { ...accessSettings(draft), ...(title && { title }), publish: !isDraft }
      const options = { account, signal, onProgress: setProgress }
      const local = await readDraft(draft)
      const isLacking = local.kind === 'deck' && mayLackFiles(local)
      const leftOut = isLacking ? describeLeftOut(local) : []
      return { ...(await publish(local, settings, options)), leftOut }
    },
    onSuccess: ({ data, warnings, leftOut }) => {
      const { id, url, is_published: isPublished, entry_path: entryPath } = data
      newPage.set(NO_PAGE)
      navigate(`/pages/${id}`)
      const said = isPublished ? 'Published' : 'Saved as a draft: nobody sees it yet'
      const found = warnings.length === 0 ? '' : `, with ${count(warnings.length, 'warning')}`
      const opens = entryPath === null ? [] : [describeEntry(entryPath)]
      const all = [`${said}${found}`, ...opens, ...leftOut]
      showToast(all.length === 1 ? all[0]! : all.join(' '), isPublished ? { link: url } : {})
    },
  })
  return { ...make, progress, cancel: () => stop.current.abort() }
}

interface AccessFieldProps {
  draft: NewPage
  onChange(change: Partial<NewPage>): void
  /** What is wrong with a setting; null where nothing is. */
  errorOf(setting: string): string | null
}

/** Who may open the page, in one line, and what the choice needs. */
function AccessField({ draft, onChange, errorOf }: AccessFieldProps) {
  const { access, password, emails } = draft
  return (
    <>
      <Select
        label="Who may open it"
        value={access}
        onChange={({ target }) => onChange({ access: target.value as NewPage['access'] })}
      >
        {Object.entries(ACCESS_PHRASES).map(([level, phrase]) => (
          <option key={level} value={level}>
            {phrase}
          </option>
        ))}
      </Select>
      {access === 'password' && (
        <TextField
          label="Password"
          help="Left empty, one is made that can be said aloud."
          autoComplete="off"
          spellCheck={false}
          value={password}
          onText={(password) => onChange({ password })}
          error={errorOf('password')}
        />
      )}
      {access === 'people' && (
        <TextArea
          label="Invite by email"
          help="One address a line, or with commas between them."
          rows={3}
          value={emails}
          onText={(emails) => onChange({ emails })}
          error={errorOf('allowed_emails')}
        />
      )}
    </>
  )
}

function accessSettings({ access, password, emails }: NewPage): Settings {
  if (access === 'password') return { access, ...(password && { password }) }
  if (access !== 'people') return { access }
  return { access, allowed_emails: emails.split(/[\s,;]+/).filter((email) => email !== '') }
}

/** How much of the content has been sent. */
function Sending({ progress, onCancel }: { progress: Progress | null; onCancel(): void }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <progress
        aria-label="Sending"
        className="h-1 min-w-40 flex-1 accent-accent"
        {...(progress && { value: progress.sentBytes, max: progress.totalBytes })}
      />
      <span role="status" className="text-13 text-muted">
        {progress && progress.sentBytes < progress.totalBytes
          ? `${formatBytes(progress.sentBytes)} of ${formatBytes(progress.totalBytes)}`
          : 'Publishing'}
      </span>
      <Button onClick={onCancel}>Cancel</Button>
    </div>
  )
}

interface ContentFieldProps {
  draft: NewPage
  onChange(change: Partial<NewPage>): void
}

/** The box for text, or the files in its place. */
function ContentField({ draft, onChange }: ContentFieldProps) {
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
              <FolderOpen size={18} className="text-muted" />
            ) : (
              <FileText size={18} className="text-muted" />
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
