import { queryOptions, useQuery } from '@tanstack/preact-query'
import { type RefObject, useEffect, useRef, useState } from 'preact/compat'
import { api, type Page } from '../../api.ts'
import { Failure } from '../../ui/states.tsx'
import { contentOf } from '../use-page.ts'
import { kindOf } from '../words.ts'

export type FrameWidth = 'phone' | 'desktop'

const WIDTHS: Record<FrameWidth, number> = { phone: 390, desktop: 1280 }
const BORDER = 1
/** The sandbox of published pages. `allow-same-origin` must never be in it. */
const SANDBOX =
  'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals ' +
  'allow-pointer-lock allow-orientation-lock allow-presentation'

const PAPER = 'bg-[#fff] [color-scheme:light]'
/** While files may be dragged in: the drop is for the screen. */
const OFF = 'in-data-frames-off:pointer-events-none'

interface ContentFrameProps {
  page: Page
  /** By default, the draft. */
  version?: number | 'draft'
  title?: string
  /** By default, that of the place where it stands. */
  width?: FrameWidth
  /** A file of a deck, and a place in the file; the start of the entry by default. */
  path?: string
  hash?: string
  onLoad?(): void
  /** How to talk to its document, and a spot in it that is marked. */
  link?: {
    ref: RefObject<HTMLIFrameElement | null>
    name: string
    spot: { left: number; top: number } | null
  }
}

/** Content of the page in a frame of a phone’s or a desktop’s width, scaled to fit. */
export function ContentFrame(props: ContentFrameProps) {
  const { page, version = 'draft', title = 'The draft', width, link, onLoad } = props
  const { path = '', hash = '' } = props
  const state = version === 'draft' ? contentOf(page) : 'version'
  const { data, error, refetch } = useQuery(previewQuery(page.id, version, state))
  const [box, size] = useSize()
  const frameWidth = width === undefined ? size?.width : WIDTHS[width]
  const scale = size === null || !frameWidth ? 1 : Math.min(1, size.width / frameWidth)
  // Without a size it is not shown, as on a phone that shows the list.
  const isReady = data !== undefined && size !== null && size.width > 0
  // A file stands in our own viewer; HTML is not trusted, and its paper is white.
  const isHtml = ['page', 'deck'].includes(kindOf(page))
  return (
    <div
      ref={box}
      style={width && { maxWidth: WIDTHS[width] + 2 * BORDER }}
      className="relative mx-auto h-full min-h-0 w-full overflow-hidden rounded-card border border-line bg-paper"
    >
      {error && data === undefined && (
        <div className="px-4">
          <Failure error={error} onRetry={refetch} />
        </div>
      )}
      {!isReady && !error && <div className="skeleton h-full" role="status" aria-label="Loading" />}
      {isReady && (
        <iframe
          key={data.url + path + hash}
          {...(link && { ref: link.ref, name: link.name })}
          title={title}
          onLoad={onLoad}
          src={(path === '' ? data.url : addressOfFile(data.url, path)) + hash}
          {...(isHtml && { sandbox: SANDBOX })}
          className={`absolute top-0 left-0 origin-top-left border-0 ${OFF} ${isHtml ? PAPER : ''}`}
          style={{ width: frameWidth, height: size.height / scale, transform: `scale(${scale})` }}
        />
      )}
      {isReady && link?.spot && (
        <span
          className="pointer-events-none absolute size-4 -translate-1/2 rounded-full border-2 border-[#fff] bg-accent shadow-float"
          style={{ left: link.spot.left * scale, top: link.spot.top * scale }}
        />
      )}
    </div>
  )
}

/** The address of another file of the deck that an address shows. */
export function addressOfFile(url: string, path: string): string {
  const [root = ''] = /^.*?\/~preview-[^/]+\//.exec(url) ?? []
  return root + path.split('/').map(encodeURIComponent).join('/')
}

function useSize() {
  const box = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect
      setSize({ width, height })
    })
    observer.observe(box.current!)
    return () => observer.disconnect()
  }, [])
  return [box, size] as const
}

/** A new address is requested this long before the old one expires. */
const MARGIN_MS = 60_000

/** The address of a frame, for an hour. @param state identifies the content of the draft */
export function previewQuery(id: string, version: number | 'draft', state: string) {
  return queryOptions({
    queryKey: ['preview', id, version, state],
    queryFn: async () => {
      const input = version === 'draft' ? { id } : { id, version_no: version }
      return (await api.previewPage(input)).data
    },
    staleTime: ({ state: { data } }) => leftMs(data),
    refetchInterval: ({ state: { data } }) => (data ? Math.max(1000, leftMs(data)) : false),
    gcTime: 5 * 60_000,
  })
}

function leftMs(preview: { expires_at: string } | undefined): number {
  if (preview === undefined) return 0
  return Math.max(0, Date.parse(preview.expires_at) - MARGIN_MS - Date.now())
}
