import { FileText, FolderOpen, X } from 'lucide-preact'
import { useEffect, useId, useMemo } from 'preact/compat'
import { useLocation } from 'wouter-preact'
import { describeEntry, findLeftOut } from '../../../src/client/content/left-out.ts'
import { count, formatBytes } from '../../../src/model/numbers.ts'
import { ApiError, messageOf } from '../api.ts'
import { Screen } from '../frame/screen.tsx'
import { ACCESS_PHRASES, copiesOf } from '../page/words.ts'
import { publishSources, takeDropped } from '../publishing/dropped.ts'
import type { Settings } from '../publishing/publish.ts'
import { SendingLine, useSending } from '../publishing/sending.tsx'
import { SourceButtons } from '../publishing/source-buttons.tsx'
import { groupFiles, type Source } from '../publishing/sources.ts'
import { dropTarget } from '../publishing/stores.ts'
import { useStore } from '../store.ts'
import { Button, IconButton, iconOf, SubmitButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Form } from '../ui/dialog.tsx'
import { INPUT, Problem, Select, TextArea, TextField } from '../ui/field.tsx'
import { showToast } from '../ui/toast.tsx'
import { Notes } from '../ui/words.tsx'
import { isInUse, type NewPage, NO_PAGE, newPage } from './draft.ts'
import { type Recognition, readDraft, recognise } from './recognise.ts'

export default function NewPageScreen() {
  const draft = useStore(newPage)
  const set = (change: Partial<NewPage>) => newPage.set({ ...newPage.get(), ...change })
  const { mutate, error: problem, isPending, progress, cancel } = useMakePage()
  const [, navigate] = useLocation()
  useEffect(() => {
    const form = (sources: Source[]) => newPage.set({ ...newPage.get(), sources })
    dropTarget.set((sources) => void takeDropped(sources, { form }))
    return () => dropTarget.set(null)
  }, [])
  const isMany = draft.sources.length > 1
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
      <Form className="grid max-w-2xl gap-5" onSubmit={() => submit(false)}>
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
        {!['title', 'password', 'allowed_emails'].includes(param ?? '') && (
          <Problem error={problem} className="" />
        )}
        {isPending ? (
          <SendingLine label="Sending" progress={progress} words="Publishing" onCancel={cancel} />
        ) : (
          <div className="flex flex-wrap gap-2">
            <SubmitButton disabled={!isInUse()}>
              {isMany ? `Publish ${count(draft.sources.length, 'page')}` : 'Publish'}
            </SubmitButton>
            {!isMany && (
              <Button disabled={!isInUse()} onClick={() => submit(true)}>
                Save as draft
              </Button>
            )}
          </div>
        )}
      </Form>
    </Screen>
  )
}

function useMakePage() {
  const [, navigate] = useLocation()
  return useSending(
    async (isDraft: boolean, sending) => {
      const draft = newPage.get()
      const { publish } = await import('../publishing/publish.ts')
      const title = draft.title.trim()
      const settings = { ...accessSettings(draft), ...(title && { title }), publish: !isDraft }
      const local = await readDraft(draft)
      const { lines: leftOut } = await findLeftOut(local)
      return { ...(await publish(local, settings, sending)), leftOut }
    },
    {
      hasPlace: true,
      onDone({ data, warnings, leftOut }) {
        const { id, is_published: isPublished, entry_path: entryPath } = data
        newPage.set(NO_PAGE)
        navigate(`/pages/${id}`)
        const outcome = isPublished ? 'Published' : 'Saved as a draft: nobody sees it yet'
        const caveat = warnings.length === 0 ? '' : `, with ${count(warnings.length, 'warning')}`
        const more = [entryPath && describeEntry(entryPath), ...leftOut].filter(Boolean)
        showToast(
          [`${outcome}${caveat}`, ...(more.length > 0 ? [more.join(' ')] : [])].join('. '),
          isPublished ? { button: <CopyButton look="quiet" {...copiesOf(data)} /> } : {},
        )
      },
    },
  )
}

interface FieldsProps {
  draft: NewPage
  onChange(change: Partial<NewPage>): void
}

/** Who may open the page, in one line, and what the choice needs. */
function AccessField(props: FieldsProps & { errorOf(setting: string): string | null }) {
  const { draft, onChange, errorOf } = props
  const { access, password, emails } = draft
  return (
    <>
      <Select
        label="Who may open it"
        value={access}
        options={ACCESS_PHRASES}
        onText={(level) => onChange({ access: level as NewPage['access'] })}
      />
      {access === 'password' && (
        <TextField
          label="Password"
          help="Left empty, one is made that can be said aloud."
          autoComplete="off"
          spellcheck={false}
          value={password}
          onText={(text) => onChange({ password: text })}
          error={errorOf('password')}
        />
      )}
      {access === 'people' && (
        <TextArea
          label="Invite by email"
          help="One address a line, or with commas between them."
          rows={3}
          value={emails}
          onText={(text) => onChange({ emails: text })}
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

function ContentField({ draft, onChange }: FieldsProps) {
  const id = useId()
  const { html, sources } = draft
  const take = (files: Source[]) => files.length > 0 && onChange({ sources: files })
  if (sources.length > 0) {
    return <SourceList sources={sources} onRemove={() => onChange({ sources: [] })} />
  }
  return (
    <div className="grid gap-2">
      <label htmlFor={id} className="text-13 font-medium">
        HTML
      </label>
      <textarea
        id={id}
        rows={12}
        spellcheck={false}
        autoComplete="off"
        dir="auto"
        aria-describedby={`${id}-about`}
        placeholder="Paste HTML or Markdown, or drop a file or a folder"
        value={html}
        onChange={({ currentTarget }) => onChange({ html: currentTarget.value })}
        onPaste={(event) => {
          const files = [...(event.clipboardData?.files ?? [])]
          if (files.length === 0) return
          event.preventDefault()
          take(groupFiles(files))
        }}
        className={`${INPUT} font-mono text-13!`}
      />
      <div id={`${id}-about`} className="min-h-5 text-13 text-muted">
        {html.trim() === '' ? (
          'Handbill recognises HTML and Markdown.'
        ) : (
          <RecognitionLine draft={draft} onChange={onChange} />
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <SourceButtons onChoose={take} />
      </div>
    </div>
  )
}

function RecognitionLine({ draft: { html: text, format }, onChange }: FieldsProps) {
  const recognition = useMemo(() => recognise(text, format ?? undefined), [text, format])
  const isHtml = recognition.format === 'html'
  return (
    <>
      <p role="status">
        {sentenceAbout(recognition, text)}{' '}
        <button
          type="button"
          className="link"
          onClick={() => onChange({ format: isHtml ? 'markdown' : 'html' })}
        >
          {isHtml ? 'It is Markdown' : 'It is HTML'}
        </button>
      </p>
      {recognition.warnings.length > 0 && (
        <Notes notes={recognition.warnings} className="mt-1 text-ink" />
      )}
    </>
  )
}

function sentenceAbout({ format, title, collectsResponses }: Recognition, text: string): string {
  const kind = format === 'html' ? 'HTML' : 'Markdown, shown as a readable page'
  const titleText = title === null ? 'without a title' : `“${title}”`
  const size = formatBytes(new Blob([text]).size)
  return `${kind}, ${titleText}, ${size}.${collectsResponses ? ' It collects responses.' : ''}`
}

function SourceList({ sources, onRemove }: { sources: Source[]; onRemove(): void }) {
  return (
    <section aria-label="Chosen files" className="rounded-card border border-line">
      <ul>
        {sources.map((source) => (
          <li
            key={source.name}
            className="flex items-center gap-3 border-line px-4 py-3 not-last:border-b"
          >
            <span className="text-muted">
              {iconOf(source.isFolder ? FolderOpen : FileText, 18)}
            </span>
            <bdi className="min-w-0 flex-1 truncate">{source.name}</bdi>
            <span className="text-13 text-muted">{sizeOf(source)}</span>
          </li>
        ))}
      </ul>
      <div className="flex items-center justify-between gap-4 border-t border-line py-1 pr-1 pl-4 text-13 text-muted">
        {sources.length === 1 ? 'One page' : `${count(sources.length, 'page')}, one for each`}
        <IconButton label="Choose something else" icon={X} onClick={onRemove} />
      </div>
    </section>
  )
}

function sizeOf({ files }: Source): string {
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
  const size = formatBytes(bytes)
  return files.length === 1 ? size : `${count(files.length, 'file')}, ${size}`
}
