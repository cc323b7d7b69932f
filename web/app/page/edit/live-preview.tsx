import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Page } from '../../boot.ts'
import { useStore } from '../../store.ts'
import { previewQuery } from '../preview/queries.ts'
import type { EditSession } from './session.ts'
import { addressBelow, withBase } from './with-base.ts'

/** The document of ours that shows HTML in an origin of its own: `http/web/app/draft-frame.ts`. */
const FRAME = '/app/draft-frame'
const SANDBOX = 'allow-scripts allow-forms allow-pointer-lock'
/** After the last key, by the size of the text. */
const SHORT_PAUSE_MS = 300
const LONG_PAUSE_MS = 1500
const LONG_CHARS = 500_000

interface LivePreviewProps {
  page: Page
  session: EditSession
  path: string
  html: string
}

/** Previews the HTML as it is typed. A change reloads it and keeps the scroll position. */
export function LivePreview({ page, path, html, session }: LivePreviewProps) {
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
