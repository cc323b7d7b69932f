import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { useEffect, useEffectEvent, useRef, useState } from 'preact/compat'
import type { Answer, Report } from '../../../draft-frame/protocol.ts'
import type { Page } from '../../api.ts'
import { useModule } from '../../hooks.ts'
import { useStore } from '../../store.ts'
import { Switch } from '../../ui/switch.tsx'
import { addressOfFile, previewQuery } from '../preview/content-frame.tsx'
import { assetsDiffer, isMarkdownFile, textOf } from './draft.ts'
import { ImageEditing, PreviewFoot, type Problem, ProblemNote } from './preview-notes.tsx'
import type { EditSession } from './session.ts'
import type { SourceEdit } from './visual/change.ts'
import type { OpenImage } from './visual/image-dialog.tsx'

/** The document of ours that shows HTML in an origin of its own: `http/web/app/index.ts`. */
const FRAME = '/app/draft-frame'
const SANDBOX = 'allow-scripts allow-forms allow-pointer-lock'
const MAX_RENDER_MS = 500
/** After the last key, by the size of the text. */
const SHORT_PAUSE_MS = 200
const LONG_PAUSE_MS = 1500
const LONG_CHARS = 500_000
/** After the last key in the preview: the source says what was typed, which then is saved. */
const WRITE_PAUSE_MS = 800
/** Before what was typed last could be lost. */
const LEAVING = ['pagehide', 'visibilitychange', 'popstate'] as const
/** Texts beyond this are changed in the source alone: to find the places would take seconds. */
const MAX_VISUAL_CHARS = 5_000_000

/** What the open field of the preview has written last. */
interface FieldWrite {
  before: string
  after: string
  /** The whole text since; null where nothing had to be changed. */
  source: string | null
}

interface LivePreviewProps {
  page: Page
  session: EditSession
  path: string
  /** Changes places of the source, as one step that can be undone. */
  onEdit(path: string, edits: SourceEdit[]): void
  onKey(path: string, key: NonNullable<Report['key']>): void
  /** Shows a text in the source. @returns false where it is not there */
  onFind(path: string, text: string): boolean
}

const STRAYS: Record<NonNullable<Report['stray']>['what'], string> = {
  text: 'This text is made by a script: edit it in the source.',
  image: 'This image is put here by a script: change it in the source.',
  background: 'This image is a background of a style sheet: change it in the source.',
  drop: 'Drop an image on the image of the page that it is to replace.',
  other: 'This cannot be edited here: look for it in the source.',
}

const HOW = `Click text or an image to change it, or drop another image on one. Enter keeps the
  text, Escape takes it back.`
const OF_MARKDOWN = 'As you type. The page is made of this Markdown: edit it there.'
const OTHERS = ' Other files are shown as saved.'

/** Previews the HTML as it is typed, and takes what is typed into it. */
export function LivePreview(props: LivePreviewProps) {
  const { page, path, session, onEdit, onKey, onFind } = props
  const { work } = useStore(session)
  const html = textOf(work, path) ?? ''
  const isMarkdown = isMarkdownFile(work, path)
  const canEdit = !isMarkdown && html.length < MAX_VISUAL_CHARS
  const [isWanted, setWanted] = useState(true)
  const isEdited = canEdit && isWanted
  const module = useModule(loadVisual, isEdited)
  const visual = isEdited ? module : null
  const { settled, frameHtml, frameHtmlOf } = usePreviewHtml(props, visual)
  const editing = useVisualEditing(props, frameHtmlOf)
  const frame = usePreviewFrame(path, frameHtml, {
    isEdited: Boolean(visual),
    isLatest: settled === html,
    onReport: (data) => visual && editing.receive(visual.readReport(data), { visual, frame }),
  })
  const { problem, setProblem, image, setImage } = editing
  const about = isMarkdown ? OF_MARKDOWN : visual === null ? 'As you type.' : HOW
  return (
    <section
      aria-label="Preview"
      className="flex h-full min-h-96 min-w-0 flex-col max-lg:h-[70dvh] max-lg:order-first"
    >
      <div className="min-h-0 flex-1 overflow-hidden rounded-card border border-line">
        <iframe
          ref={frame.ref}
          title="Preview of the draft"
          src={FRAME}
          sandbox={SANDBOX}
          className="size-full bg-[#fff] [color-scheme:light]"
        />
      </div>
      {problem && (
        <div className="mt-2">
          <ProblemNote
            {...problem}
            onFind={() => onFind(path, problem.text)}
            onClose={() => setProblem(null)}
          />
        </div>
      )}
      <ImageEditing {...{ page, session, onEdit }} open={image} onClose={() => setImage(null)} />
      <PreviewFoot
        about={`${about}${page.kind === 'bundle' ? OTHERS : ''}`}
        images={visual ? visual.listImages(settled) : []}
        onImage={(one) => setImage({ path, image: one, dropped: null })}
        onKey={(key) => onKey(path, key)}
      >
        {canEdit && <Switch label="Edit in the preview" isOn={isWanted} onChange={setWanted} />}
      </PreviewFoot>
    </section>
  )
}

type Visual = typeof import('./visual/visual.ts')

const loadVisual = () => import('./visual/visual.ts')

/** What the frame shows of a file. @param visual undefined while it is loaded: the frame waits */
function usePreviewHtml({ page, session, path }: LivePreviewProps, visual?: Visual | null) {
  const { work, revision, base, busy } = useStore(session)
  const isMarkdown = isMarkdownFile(work, path)
  const isDeck = page.kind === 'bundle'
  // The other files of a deck are those of the draft as it was saved.
  const { data, isError, isPlaceholderData } = useQuery({
    ...previewQuery(page.id, 'draft', page.updated_at),
    enabled: isDeck,
    placeholderData: keepPreviousData,
  })
  // A new image is there once it is saved.
  const isSaving = useRef(false)
  isSaving.current = busy !== null && (isSaving.current || assetsDiffer(base, work))
  const settled = useSettled(textOf(work, path) ?? '', {
    identity: `${path} ${revision}`,
    isHeld: isSaving.current || isPlaceholderData,
  })
  const rendered = useRendered(settled, isMarkdown)
  const root = isDeck && data ? addressOfFile(data.url, path) : null
  const isReady = visual !== undefined && (!isDeck || root !== null || isError)
  function frameHtmlOf(text: string): string {
    const marked = visual ? visual.marked(text) : text
    return root === null ? marked : withBase(marked, root)
  }
  const html = isMarkdown ? rendered : settled
  return { settled, frameHtml: isReady && html !== null ? frameHtmlOf(html) : null, frameHtmlOf }
}

type TypedChange = NonNullable<Report['change']>

interface Preview {
  visual: Visual
  frame: ReturnType<typeof usePreviewFrame>
}

/** Changes the source by what the frame reports: texts that are typed there, images, and keys. */
function useVisualEditing(
  { session, path, onEdit, onKey }: LivePreviewProps,
  frameHtmlOf: (text: string) => string,
) {
  const [problem, setProblem] = useState<Problem | null>(null)
  const [image, setImage] = useState<OpenImage | null>(null)
  const lastWrite = useRef<FieldWrite | null>(null)
  const unwritten = useRef<(() => void) | null>(null)
  const pause = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const source = () => textOf(session.get().work, path) ?? ''
  /**
   * Writes what a field says. What it said at its last pause is taken back before, so that all that
   * was typed into it is one step. @returns false where the source says something else
   */
  function write(visual: Visual, { place, before, after }: TypedChange): boolean {
    const last = lastWrite.current
    const isLatest = last !== null && last.source === source()
    if (isLatest && last.after === after) return true
    if (isLatest) onKey(path, 'undo')
    const sourceText = (isLatest ? last.before : last?.after) ?? before
    const edits = visual.editsOf(source(), { place, before: sourceText, after })
    if (edits === null) return false
    if (edits.length > 0) onEdit(path, edits)
    lastWrite.current = { before: sourceText, after, source: edits.length > 0 ? source() : null }
    return true
  }
  /** @param isLast whether the field is closed, so that nothing else tells what was typed */
  function follow(change: TypedChange, isLast: boolean, { visual, frame }: Preview): void {
    const isCurrent = frame.isShowing(frameHtmlOf(source()))
    if (write(visual, change)) {
      if (isCurrent) frame.follow(frameHtmlOf(source()))
    } else if (isLast) {
      const words = `The source has changed meanwhile, so this was not written: ${change.after}`
      setProblem({ words, text: change.before })
      frame.reload()
    }
  }
  function flush(): void {
    clearTimeout(pause.current)
    pause.current = undefined
    unwritten.current?.()
    unwritten.current = null
  }
  const flushLatest = useEffectEvent(flush)
  useEffect(() => {
    // Before what keeps the draft hears of it.
    for (const name of LEAVING) addEventListener(name, flushLatest, true)
    return () => {
      for (const name of LEAVING) removeEventListener(name, flushLatest, true)
    }
  }, [])
  function receive(report: Report, preview: Preview): void {
    const { visual, frame } = preview
    const { ask, change, isOpen: isTyping, stray, image: pressed, key } = report
    if (change) unwritten.current = () => follow(change, isTyping === false, preview)
    // The first key is written at once, so that the browser asks before the document goes.
    if (isTyping !== undefined || pause.current === undefined) flush()
    if (change && isTyping === undefined) {
      clearTimeout(pause.current)
      pause.current = setTimeout(flushLatest, WRITE_PAUSE_MS)
    }
    // Where the source was just changed, the numbers of the frame may be others.
    const isCurrent = frame.isShowing(frameHtmlOf(source()))
    if (ask) {
      const isOpen = isCurrent && visual.isOfSource(source(), ask)
      frame.answer({ open: isOpen })
      setProblem(isOpen || !isCurrent ? null : { words: STRAYS.text, text: ask.text.trim() })
    }
    if (isTyping !== undefined) lastWrite.current = null
    if (stray) setProblem({ words: STRAYS[stray.what], text: stray.text })
    if (pressed && isCurrent) {
      const { place, src, file } = pressed
      const element = visual.imageAt(source(), place)
      const isOfSource = src !== '' && element?.src.startsWith(src)
      if (isOfSource) setImage({ path, image: element!, dropped: file })
      setProblem(isOfSource ? null : { words: STRAYS.image, text: src })
    }
    if (key) onKey(path, key)
  }
  return { problem, setProblem, image, setImage, receive }
}

/** The HTML of Markdown, once it is rendered; that of the text before, or null, meanwhile. */
function useRendered(text: string, isMarkdown: boolean): string | null {
  // Nothing is shown before: a frame that is on its way to write it would not load the next text.
  const [html, setHtml] = useState<string | null>(null)
  useEffect(() => {
    let isOver = false
    if (isMarkdown) {
      void import('../../../../src/model/markdown/render.ts')
        .then(({ renderMarkdown }) => renderMarkdown({ text, maxMs: MAX_RENDER_MS }))
        .then(
          (rendered) => !isOver && setHtml(rendered),
          () => undefined,
        )
    }
    return () => {
      isOver = true
    }
  }, [text, isMarkdown])
  return html
}

interface FrameSettings {
  isEdited: boolean
  /** Whether it is the text of now, and not one before what the frame shows already. */
  isLatest: boolean
  /** @param data anything: it may come from the page */
  onReport(data: unknown): void
}

/** The frame with the text: another text reloads it, unless it is shown or typed into already. */
function usePreviewFrame(path: string, frameHtml: string | null, settings: FrameSettings) {
  const ref = useRef<HTMLIFrameElement>(null)
  const scroll = useRef(0)
  const current = useRef(frameHtml)
  const port = useRef<MessagePort | null>(null)
  const isTyping = useRef(false)
  const isBehind = useRef(false)
  const { isLatest } = settings
  const latest = useEffectEvent(() => ({ ...settings, frameHtml }))
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file starts at its top
  useEffect(() => {
    scroll.current = 0
  }, [path])
  const load = useEffectEvent(() => {
    isTyping.current = false
    isBehind.current = false
    current.current = frameHtml
    // Not by its `src`: that is a step of the history, and Back would stay in the frame.
    ref.current?.contentWindow?.location.replace(FRAME)
  })
  useEffect(() => {
    function hear({ data }: MessageEvent): void {
      const { isOpen } = (data ?? {}) as { isOpen?: unknown }
      latest().onReport(data)
      if (typeof isOpen !== 'boolean') return
      isTyping.current = isOpen
      if (!isOpen && isBehind.current) load()
    }
    function receive({ source, data }: MessageEvent): void {
      const target = ref.current?.contentWindow
      if (!target || source !== target) return
      if (data?.ready === true && current.current !== null) {
        port.current?.close()
        const { port1, port2 } = new MessageChannel()
        port.current = port1
        port1.onmessage = hear
        // Its origin is opaque, so it cannot be named; the frame of our document is the receiver.
        const message = { html: current.current, scroll: scroll.current }
        target.postMessage(message, '*', latest().isEdited ? [port2] : [])
      } else if (typeof data?.scroll === 'number') scroll.current = data.scroll
    }
    addEventListener('message', receive)
    return () => {
      removeEventListener('message', receive)
      port.current?.close()
    }
  }, [])
  useEffect(() => {
    if (current.current === frameHtml || !isLatest) return
    if (isTyping.current) isBehind.current = true
    else load()
  }, [frameHtml, isLatest])
  return {
    ref,
    answer: (answer: Answer) => port.current?.postMessage(answer),
    isShowing: (text: string) => current.current === text,
    /** The frame shows this already, so it is not loaded for it. */
    follow(text: string): void {
      current.current = text
    },
    reload: load,
  }
}

/** The text, once nobody has typed for a moment; at once where it is another text. */
function useSettled(text: string, { identity, isHeld }: { identity: string; isHeld: boolean }) {
  const [settled, setSettled] = useState({ text, identity })
  if (settled.identity !== identity && !isHeld) setSettled({ text, identity })
  useEffect(() => {
    if (isHeld) return
    const pause = text.length > LONG_CHARS ? LONG_PAUSE_MS : SHORT_PAUSE_MS
    const timer = setTimeout(() => setSettled({ text, identity }), pause)
    return () => clearTimeout(timer)
  }, [text, identity, isHeld])
  return settled.text
}

/** The HTML with a base address, so that its relative addresses resolve to it. */
export function withBase(html: string, href: string): string {
  const base = `<base href="${href.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`
  const start = /^\s*(?:<!doctype[^>]*>)?\s*(?:<html(?:\s[^>]*)?>)?\s*(?:<head(?:\s[^>]*)?>)?/i
  return html.replace(start, (head) => head + base)
}
