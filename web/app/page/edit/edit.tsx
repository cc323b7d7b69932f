import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/preact-query'
import { Search } from 'lucide-preact'
import { useCallback, useEffect, useRef, useState } from 'preact/compat'
import { count } from '../../../../src/model/numbers.ts'
import type { Page } from '../../boot.ts'
import { useKeys } from '../../frame/keys.ts'
import { MODIFIER } from '../../frame/rail.tsx'
import { useStore } from '../../store.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/section.tsx'
import { Pending } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useUnsentGuard } from '../../unsent.ts'
import { previewQuery } from '../preview/content-frame.tsx'
import { isLive, publicationOf } from '../words.ts'
import { CodeField } from './code-field.tsx'
import type { Editor, Place } from './code-mirror.ts'
import { ConflictDialog } from './conflict.tsx'
import { isHtmlPath, textOf } from './draft.ts'
import { FileTree } from './file-tree.tsx'
import { FindInFiles } from './find-in-files.tsx'
import {
  createEditSession,
  type DraftWarning,
  type EditSession,
  type EditState,
  readDraft,
} from './session.ts'
import { createUnsavedStore, tabId } from './unsaved.ts'

/** The document of ours that shows HTML in an origin of its own: `http/web/app/draft-frame.ts`. */
const FRAME = '/app/draft-frame'
const SANDBOX = 'allow-scripts allow-forms allow-pointer-lock'
/** After the last key, by the size of the text. */
const SHORT_PAUSE_MS = 300
const LONG_PAUSE_MS = 1500
const LONG_CHARS = 500_000

/** How long after the last key the text is stored in the browser. */
const KEEP_MS = 300

export default function EditTab({ page }: { page: Page }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['draft', page.id],
    queryFn: () => readDraft(page.id),
    // Each visit reads it anew; within one, the session follows what changes.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error || data === undefined) return <Pending error={error} onRetry={refetch} rows={10} />
  return <Loaded page={page} read={data} />
}

function Loaded({ page, read }: { page: Page; read: Awaited<ReturnType<typeof readDraft>> }) {
  const client = useQueryClient()
  const [session] = useState(() => {
    const unsaved = createUnsavedStore(page.id, { storage: localStorage, tab: tabId() })
    return createEditSession({ page, read, unsaved, client })
  })
  return <EditScreen page={page} session={session} />
}

function EditScreen({ page, session }: { page: Page; session: EditSession }) {
  const state = useStore(session)
  const { work, conflict } = state
  const [chosen, setChosen] = useState(work.entry)
  const [isFinding, setFinding] = useState(false)
  const [isComparing, setComparing] = useState(true)
  const editor = useRef<Editor | null>(null)
  const isDeck = work.kind === 'bundle'
  const all = [...work.files, ...work.assets]
  const open = all.some(({ path }) => path === chosen) ? chosen : work.entry
  useGuards(page, session)

  const goTo = useCallback((path: string, place: Place) => {
    setChosen(path)
    // The editor shows the file with the next rendering.
    setTimeout(() => editor.current?.goTo(place))
  }, [])
  useKeys({
    'mod+s': () => void session.save(),
    ...(isDeck && { 'mod+shift+f': () => setFinding(true) }),
  })
  // The comparison opens by itself when somebody else has changed the draft.
  useEffect(() => {
    if (conflict !== null) setComparing(true)
  }, [conflict])

  const shownHtml = isHtmlPath(open) ? open : work.entry
  return (
    <div className="grid gap-3">
      <EditBar page={page} session={session} onFind={isDeck ? () => setFinding(true) : null} />
      <Notes session={session} onCompare={() => setComparing(true)} />
      <Warnings warnings={state.warnings} onGoTo={goTo} />
      {isFinding && (
        <FindInFiles session={session} onGoTo={goTo} onClose={() => setFinding(false)} />
      )}
      <div
        className={`grid gap-4 lg:h-[max(30rem,calc(100dvh-18rem))] ${isDeck ? 'md:grid-cols-[13rem_minmax(0,1fr)] lg:grid-cols-[13rem_minmax(0,1fr)_minmax(0,1fr)]' : 'lg:grid-cols-2'}`}
      >
        {isDeck && <FileTree session={session} open={open} onOpen={setChosen} />}
        <CodeField page={page} session={session} path={open} editorRef={editor} />
        <LivePreview
          page={page}
          session={session}
          path={shownHtml}
          html={textOf(work, shownHtml) ?? ''}
        />
      </div>
      {conflict !== null && isComparing && (
        <ConflictDialog session={session} theirs={conflict} onClose={() => setComparing(false)} />
      )}
    </div>
  )
}

interface EditBarProps {
  page: Page
  session: EditSession
  /** Opens the search over all files; null where there is one file. */
  onFind: (() => void) | null
}

function EditBar({ page, session, onFind }: EditBarProps) {
  const state = useStore(session)
  const isDirty = session.isDirty()
  const canPublish = isDirty || !isLive(page)
  async function save(): Promise<void> {
    if (await session.save()) showToast('Draft saved')
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p role="status" className="text-13 text-muted">
        {statusOf(state, isDirty, page)}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        {onFind && (
          <Button look="quiet" icon={Search} onClick={onFind}>
            Find in all files
          </Button>
        )}
        <Button
          disabled={!isDirty || state.busy !== null}
          title={`${MODIFIER} S`}
          onClick={() => void save()}
        >
          Save draft
        </Button>
        <Button
          look="primary"
          disabled={!canPublish || state.busy !== null}
          onClick={() => void session.publish()}
        >
          Publish
        </Button>
      </div>
    </div>
  )
}

function statusOf({ busy, conflict, isKept }: EditState, isDirty: boolean, page: Page): string {
  if (busy === 'save') return 'Saving…'
  if (busy === 'publish') return 'Publishing…'
  if (conflict !== null) return 'Not saved: the draft was changed elsewhere'
  if (!isDirty) return publicationOf(page)
  return isKept
    ? 'Unsaved changes, kept in this browser'
    : 'Unsaved changes, too large for this browser to keep: save often'
}

function Notes({ session, onCompare }: { session: EditSession; onCompare(): void }) {
  const { problem, conflict, revivedFrom, elsewhere } = useStore(session)
  return (
    <>
      {problem !== null && (
        <Notice isAlert actions={<Button onClick={() => void session.save()}>Try again</Button>}>
          {problem} What you typed is still here.
        </Notice>
      )}
      {conflict !== null && (
        <Notice isAlert actions={<Button onClick={onCompare}>Compare and decide</Button>}>
          The draft was changed elsewhere while you were editing. Nothing is lost: look at both, and
          save what is right.
        </Notice>
      )}
      {revivedFrom !== null && conflict === null && (
        <Notice
          actions={
            <Button look="quiet" onClick={session.discard}>
              Discard it
            </Button>
          }
        >
          What you typed <Time at={revivedFrom} /> and did not save is here again.
        </Notice>
      )}
      {elsewhere !== null && conflict === null && (
        <Notice
          actions={
            <>
              <Button onClick={session.takeElsewhere}>Show it here</Button>
              <Button look="quiet" onClick={session.dropElsewhere}>
                Discard it
              </Button>
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
            <p className="min-w-0 flex-1 basis-64">{message}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Stores what is typed, warns before the tab closes, and follows changes made elsewhere. */
function useGuards(page: Page, session: EditSession): void {
  // The browser keeps the draft for the next visit; this is for browsers without space.
  useUnsentGuard({ isLostOnUnload: () => session.isDirty() })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    function keepNow(): void {
      clearTimeout(timer)
      timer = undefined
      session.keep()
    }
    const stop = session.subscribe(() => {
      timer ??= setTimeout(keepNow, KEEP_MS)
    })
    addEventListener('pagehide', keepNow)
    return () => {
      stop()
      keepNow()
      removeEventListener('pagehide', keepNow)
    }
  }, [session])
  useEffect(() => {
    void session.checkForChanges(page)
  }, [session, page])
}

interface LivePreviewProps {
  page: Page
  session: EditSession
  path: string
  html: string
}

/** Previews the HTML as it is typed. A change reloads it and keeps the scroll position. */
function LivePreview({ page, path, html, session }: LivePreviewProps) {
  const { revision, base } = useStore(session)
  const settled = useSettled(html, `${path} ${revision}`)
  const isDeck = page.kind === 'bundle'
  // The other files of a deck are those of the draft as it was saved.
  const { data, isError } = useQuery({
    ...previewQuery(page.id, 'draft', page.updated_at),
    enabled: isDeck,
    placeholderData: keepPreviousData,
  })
  const root = isDeck && data ? addressBelow(data.url, base.entry, path) : null
  const isReady = !isDeck || root !== null || isError
  const shown = root === null ? (isReady ? settled : null) : withBase(settled, root)
  const frame = useRef<HTMLIFrameElement>(null)
  const scroll = useRef(0)
  const current = useRef(shown)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file starts at its top
  useEffect(() => {
    scroll.current = 0
  }, [path])
  useEffect(() => {
    function receive({ source, data }: MessageEvent): void {
      const target = frame.current?.contentWindow
      if (!target || source !== target) return
      if (data?.ready === true && current.current !== null) {
        // Its origin is opaque, so it cannot be named; the frame of our document is the receiver.
        target.postMessage({ html: current.current, scroll: scroll.current }, '*')
      } else if (typeof data?.scroll === 'number') scroll.current = data.scroll
    }
    addEventListener('message', receive)
    return () => removeEventListener('message', receive)
  }, [])
  useEffect(() => {
    if (current.current === shown) return
    current.current = shown
    frame.current?.setAttribute('src', FRAME)
  }, [shown])
  return (
    <section aria-label="Preview" className="flex h-full min-h-96 min-w-0 flex-col max-lg:hidden">
      <iframe
        ref={frame}
        title="Preview of the draft"
        src={FRAME}
        sandbox={SANDBOX}
        className="min-h-0 w-full flex-1 rounded-card border border-line bg-[#fff] [color-scheme:light]"
      />
      <p className="mt-1.5 text-12 text-muted">
        {isDeck ? 'As you type. Other files are shown as saved.' : 'As you type.'}
      </p>
    </section>
  )
}

/** The text, once nobody has typed for a moment; at once where it is another text. */
function useSettled(text: string, identity: string): string {
  const [settled, setSettled] = useState({ text, identity })
  if (settled.identity !== identity) setSettled({ text, identity })
  useEffect(() => {
    const pause = text.length > LONG_CHARS ? LONG_PAUSE_MS : SHORT_PAUSE_MS
    const timer = setTimeout(() => setSettled({ text, identity }), pause)
    return () => clearTimeout(timer)
  }, [text, identity])
  return settled.text
}

/** The HTML with a base address, so that its relative addresses resolve to it. */
export function withBase(html: string, href: string): string {
  const base = `<base href="${href.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`
  const start = /^\s*(?:<!doctype[^>]*>)?\s*(?:<html(?:\s[^>]*)?>)?\s*(?:<head(?:\s[^>]*)?>)?/i
  return html.replace(start, (found) => found + base)
}

/** The address of a file below that of a preview, which is the address of its entry. */
export function addressBelow(preview: string, entry: string, path: string): string {
  const encoded = (text: string) => text.split('/').map(encodeURIComponent).join('/')
  const root = preview.endsWith(encoded(entry))
    ? preview.slice(0, -encoded(entry).length)
    : new URL('.', preview).href
  return root + encoded(path)
}
