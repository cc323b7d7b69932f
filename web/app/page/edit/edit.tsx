import { useQuery } from '@tanstack/preact-query'
import { Search } from 'lucide-preact'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'preact/compat'
import { count } from '../../../../src/model/numbers.ts'
import type { Report } from '../../../draft-frame/protocol.ts'
import type { Page } from '../../api.ts'
import { useKeys } from '../../frame/keys.ts'
import { MODIFIER } from '../../frame/rail.tsx'
import { useStore } from '../../store.ts'
import { Button, PrimaryButton, QuietButton } from '../../ui/button.tsx'
import { Note } from '../../ui/field.tsx'
import { Notice } from '../../ui/section.tsx'
import { Pending } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import { CodedText } from '../../ui/words.tsx'
import { useUnsentGuard } from '../../unsent.ts'
import { isLive, publicationOf } from '../words.ts'
import { CodeField, editorFile } from './code-field.tsx'
import type { Editor, Place } from './code-mirror.ts'
import { ConflictDialog } from './conflict.tsx'
import type { DraftWarning, EditState } from './draft-state.ts'
import { FileTree } from './file-tree.tsx'
import { FindInFiles } from './find-in-files.tsx'
import { LivePreview } from './live-preview.tsx'
import { createEditSession, type EditSession, readDraft } from './session.ts'
import type { SourceEdit } from './visual/change.ts'

/** How long after the last key the text is stored in the browser, and on the server. */
const KEEP_MS = 300
const AUTOSAVE_MS = 3000

export default function EditTab({ page }: { page: Page }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['draft', page.id],
    queryFn: () => readDraft(page.id),
    // Each visit reads it anew; within one, the session follows what changes.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error || data === undefined) return <Pending error={error} onRetry={refetch} rows={10} />
  return <EditScreen page={page} read={data} />
}

function EditScreen({ page, read }: { page: Page; read: Awaited<ReturnType<typeof readDraft>> }) {
  const [session] = useState(() => createEditSession(page, read))
  const state = useStore(session)
  const { work, conflict, isComparing } = state
  const [selected, setSelected] = useState(work.entry)
  const [isFinding, setFinding] = useState(false)
  const editor = useRef<Editor | null>(null)
  const isDeck = work.kind === 'bundle'
  const all = [...work.files, ...work.assets]
  const open = all.some(({ path }) => path === selected) ? selected : work.entry
  useGuards(page, session)

  const goTo = useCallback((path: string, place: Place) => {
    setSelected(path)
    // The editor shows the file with the next rendering.
    setTimeout(() => editor.current?.goTo(place))
  }, [])
  const source = useSource(session, editor, { open, onOpen: setSelected })
  useKeys({
    'mod+s': () => void session.save(),
    'mod+z': ({ shiftKey }) => source.onKey(open, shiftKey ? 'redo' : 'undo'),
    'mod+y': () => source.onKey(open, 'redo'),
    ...(isDeck && { 'mod+shift+f': () => setFinding(true) }),
  })
  const previewPath = work.files.some(({ path }) => path === open) ? open : work.entry
  return (
    <div className="grid grid-cols-1 gap-3">
      <EditBar page={page} session={session} onFind={isDeck ? () => setFinding(true) : null} />
      <Notes session={session} />
      <Warnings warnings={state.warnings} onGoTo={goTo} />
      {isFinding && (
        <FindInFiles session={session} onGoTo={goTo} onClose={() => setFinding(false)} />
      )}
      <div
        className={`grid grid-cols-1 gap-4 lg:h-[max(30rem,calc(100dvh-18rem))] ${isDeck ? 'md:grid-cols-[13rem_minmax(0,1fr)] lg:grid-cols-[13rem_minmax(0,1fr)_minmax(0,1fr)]' : 'lg:grid-cols-2'}`}
      >
        {isDeck && <FileTree session={session} open={open} onOpen={setSelected} />}
        <CodeField page={page} session={session} path={open} editorRef={editor} />
        <LivePreview page={page} session={session} path={previewPath} {...source} />
      </div>
      {conflict !== null && isComparing && <ConflictDialog session={session} theirs={conflict} />}
    </div>
  )
}

interface EditBarProps {
  page: Page
  session: EditSession
  onFind: (() => void) | null
}

function EditBar({ page, session, onFind }: EditBarProps) {
  const state = useStore(session)
  const isDirty = session.isDirty()
  const canPublish = isDirty || !isLive(page)
  const isBusy = state.busy !== null && state.busy !== 'autosave'
  async function save(): Promise<void> {
    if (await session.save()) showToast('Draft saved')
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <Note role="status">{statusOf(state, isDirty, page)}</Note>
      <div className="flex flex-wrap items-center gap-2">
        {onFind && (
          <QuietButton icon={Search} onClick={onFind}>
            Find in all files
          </QuietButton>
        )}
        <Button disabled={isBusy} title={`${MODIFIER} S`} onClick={save}>
          Save draft
        </Button>
        <PrimaryButton disabled={!canPublish || isBusy} onClick={session.publish}>
          Publish
        </PrimaryButton>
      </div>
    </div>
  )
}

function statusOf({ busy, conflict, isKept }: EditState, isDirty: boolean, page: Page): string {
  if (busy === 'save' || busy === 'autosave') return 'Saving…'
  if (busy === 'publish') return 'Publishing…'
  if (conflict !== null) return 'Not saved: the draft was changed elsewhere'
  if (!isDirty) return publicationOf(page)
  return isKept
    ? 'Unsaved changes, kept in this browser'
    : 'Unsaved changes, too large for this browser to keep: save often'
}

function Notes({ session }: { session: EditSession }) {
  const { problem, conflict, revivedFrom, elsewhere } = useStore(session)
  const compare = () => session.compare(true)
  return (
    <>
      {problem !== null && (
        <Notice isAlert actions={<Button onClick={() => void session.save()}>Try again</Button>}>
          {problem} What you typed is still here.
        </Notice>
      )}
      {conflict !== null && (
        <Notice isAlert actions={<Button onClick={compare}>Compare and decide</Button>}>
          The draft was changed elsewhere while you were editing. Nothing is lost: look at both, and
          save what is right.
        </Notice>
      )}
      {revivedFrom !== null && conflict === null && (
        <Notice actions={<QuietButton onClick={session.discard}>Discard it</QuietButton>}>
          What you typed <Time at={revivedFrom} /> and did not save is here again.
        </Notice>
      )}
      {elsewhere !== null && conflict === null && (
        <Notice
          actions={
            <>
              <Button onClick={session.takeElsewhere}>Show it here</Button>
              <QuietButton onClick={session.dropElsewhere}>Discard it</QuietButton>
            </>
          }
        >
          Another tab has changes from <Time at={elsewhere.at} /> that are not saved.
        </Notice>
      )}
    </>
  )
}

interface WarningsProps {
  warnings: DraftWarning[]
  onGoTo(path: string, place: Place): void
}

/** What will not work for visitors, as the last save found it. A line leads to its place. */
function Warnings({ warnings, onGoTo }: WarningsProps) {
  if (warnings.length === 0) return null
  return (
    <section aria-labelledby="warnings">
      <h2 id="warnings" className="mb-1 font-medium">
        {count(warnings.length, 'warning')} from the last save
      </h2>
      <ul className="max-h-40 divide-y divide-line overflow-y-auto border-y border-line">
        {warnings.map(({ code, message, path, line }) => (
          <li
            key={`${code} ${path} ${line} ${message}`}
            className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-2"
          >
            {line === null ? (
              <span className="w-28 shrink-0 truncate text-13 text-muted">{path ?? 'Page'}</span>
            ) : (
              <button
                type="button"
                className="link w-28 shrink-0 text-left text-13 tabular-nums"
                onClick={() => onGoTo(path ?? '', { line })}
              >
                {path === null ? '' : `${path}, `}line {line}
              </button>
            )}
            <p className="min-w-0 flex-1 basis-64">
              <CodedText text={message} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Stores and saves what is typed, warns before the tab closes, follows changes made elsewhere. */
function useGuards(page: Page, session: EditSession): void {
  // The browser keeps the draft for the next visit; this is for browsers without space.
  useUnsentGuard({ isLostOnUnload: () => session.isDirty() })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isLeft = false
    function keepNow(): void {
      clearTimeout(timer)
      timer = undefined
      session.keep(isLeft)
    }
    let saving: ReturnType<typeof setTimeout> | undefined
    let { work } = session.get()
    const stop = session.subscribe(() => {
      timer ??= setTimeout(keepNow, document.hidden ? 0 : KEEP_MS)
      if (session.get().work === work) return
      work = session.get().work
      clearTimeout(saving)
      saving = setTimeout(() => void session.autosave(), AUTOSAVE_MS)
    })
    function leave({ type }: Event): void {
      isLeft = type === 'pagehide'
      keepNow()
    }
    addEventListener('pagehide', leave)
    addEventListener('pageshow', leave)
    return () => {
      stop()
      clearTimeout(saving)
      keepNow()
      // Another view is shown: the request goes on.
      void session.autosave()
      removeEventListener('pagehide', leave)
      removeEventListener('pageshow', leave)
    }
  }, [session])
  useEffect(() => {
    void session.checkForChanges(page)
  }, [session, page])
}

/** What the preview does with the source: it changes the editor's text, for one history. */
function useSource(
  session: EditSession,
  editor: RefObject<Editor | null>,
  { open, onOpen }: { open: string; onOpen(path: string): void },
) {
  /** The editor with the file of the preview in it. */
  function show(path: string): Editor | null {
    const file = editorFile(session.get().work, path)
    if (editor.current === null || file === null) return null
    if (path !== open) onOpen(path)
    editor.current.show(file)
    return editor.current
  }
  return {
    onEdit: (path: string, edits: SourceEdit[]) => show(path)?.change(edits),
    onFind: (path: string, text: string) => show(path)?.find(text) ?? false,
    onKey(path: string, key: NonNullable<Report['key']>): void {
      if (key === 'save') void session.save()
      else show(path)?.[key]()
    },
  }
}
