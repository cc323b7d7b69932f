import { useQuery } from '@tanstack/preact-query'
import type { ReactNode } from 'preact/compat'
import { MAX_OG_DESCRIPTION, MAX_OG_TITLE } from '../../../../../src/model/page/facts.ts'
import { percentDecoded } from '../../../../../src/model/page-name.ts'
import { parseHtml } from '../../../../parse.ts'
import { api, type Page } from '../../../api.ts'
import { TextArea, TextField } from '../../../ui/field.tsx'
import { useFileUrl } from '../../use-file-url.ts'
import { kindOf, nameOf } from '../../words.ts'
import { Section, SettingSwitch } from '../section.tsx'
import { useSharing, useText } from '../sharing.ts'

/** A larger page is not read just to show how its link looks. */
const MAX_BYTES = 1024 * 1024
const NONE: OwnPreview = { title: null, description: null, image: null }

/** How the link looks in chat programs, and whether search engines list the page. */
export function LinkPreview() {
  const { page } = useSharing()
  const title = useText('og_title', 'Link title', { max: MAX_OG_TITLE })
  const description = useText('og_description', 'Link description', { max: MAX_OG_DESCRIPTION })
  const own = useDefaultPreview(page)
  return (
    <Section title="In chats and search">
      <PreviewCard
        title={title.props.value.trim() || own.title}
        description={description.props.value.trim() || own.description}
        image={own.image}
      />
      <TextField dir="auto" placeholder={own.title ?? ''} {...title.props} />
      <TextArea
        dir="auto"
        rows={2}
        placeholder={own.description ?? ''}
        className="field-sizing-content max-h-40 resize-none"
        {...description.props}
      />
      <SettingSwitch
        name="indexed"
        label="Let search engines index it"
        help={
          page.access === 'link'
            ? 'It may take days until they list it, or drop it.'
            : 'Counts only where anyone with the link may open it.'
        }
      />
    </Section>
  )
}

/** What programs show where the owner sets nothing. Of a gated page they get no content. */
function useDefaultPreview(page: Page): Preview {
  const own = useOwnPreview(page)
  if (page.access !== 'link' || page.max_views !== null) {
    return { title: `A page on ${new URL(page.url).host}`, description: null, image: null }
  }
  // A page that is an image is its own.
  const image =
    kindOf(page) === 'image'
      ? { path: page.file!.name }
      : imageSourceOf(own.image, page.url, page.entry_path)
  return { title: own.title ?? nameOf(page), description: own.description, image }
}

type OwnPreview = Record<'title' | 'description' | 'image', string | null>

/** What the page's own HTML says to chat programs: the address of its image as it stands there. */
function useOwnPreview(page: Page): OwnPreview {
  const isRead = ['page', 'deck'].includes(kindOf(page)) && page.size_bytes <= MAX_BYTES
  const { data } = useQuery({
    queryKey: ['own-preview', page.id, page.updated_at, page.sha256],
    queryFn: async () => {
      const { data: draft } = await api.readHtml({ id: page.id, full: true })
      if (draft.kind !== 'bundle')
        return previewIn(draft.kind === 'single' ? (draft.html ?? '') : '')
      return previewIn(draft.files.find(({ path }) => path === draft.entry)?.html ?? '')
    },
    enabled: isRead,
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data ?? NONE
}

function previewIn(html: string): OwnPreview {
  const { head, title } = parseHtml(html)
  const read = (name: string) =>
    head
      .querySelector(`meta[property="${name}" i], meta[name="${name}" i]`)
      ?.getAttribute('content')
      ?.trim() || null
  return {
    title: read('og:title') ?? read('twitter:title') ?? (title.trim() || null),
    description: read('og:description') ?? read('twitter:description') ?? read('description'),
    image: read('og:image') ?? read('og:image:url') ?? read('twitter:image'),
  }
}

interface Preview extends Pick<OwnPreview, 'title' | 'description'> {
  image: ImageSource | null
}

function PreviewCard({ title, description, image }: Preview) {
  const { page } = useSharing()
  return (
    <figure
      aria-label="Preview of the link"
      className="max-w-md rounded-card border border-line bg-paper p-3"
    >
      <div className="border-l-4 border-line pl-3">
        <p className="truncate text-12 text-muted">{new URL(page.url).host}</p>
        <p className="line-clamp-2 font-semibold break-words" dir="auto">
          {title}
        </p>
        {description && (
          <p className="line-clamp-3 text-13 break-words text-muted" dir="auto">
            {description}
          </p>
        )}
        {image ? <PreviewImage pageId={page.id} image={image} /> : <DrawnPicture />}
      </div>
    </figure>
  )
}

function Caption({ children }: { children: ReactNode }) {
  return <p className="mt-1 text-12 break-words text-muted">{children}</p>
}

/** What the server draws where a page has no image, of what strangers may know once it is saved. */
function DrawnPicture() {
  const { saved: page } = useSharing()
  if (!page.is_published || page.closed_by !== null || page.access === 'private') {
    return <Caption>With a picture of title and name, once others can open the page.</Caption>
  }
  return (
    <img
      src={`/p/${page.slug}/~/preview.png?${encodeURIComponent(page.updated_at)}`}
      alt="Drawn for the link"
      className="mt-2 aspect-[1200/630] w-full rounded-control border border-line"
    />
  )
}

/** An image of another server is named and not loaded: that server would see the owner. */
function PreviewImage({ pageId, image }: { pageId: string; image: ImageSource }) {
  const path = 'path' in image ? image.path : null
  const { url, error } = useFileUrl(pageId, path)
  if ('host' in image) {
    return <Caption>With an image of {image.host}, which is not loaded here.</Caption>
  }
  if (error !== null) return <Caption>Its image {path} is not in the page.</Caption>
  return (
    url && (
      <img
        src={url}
        alt="Shown with the link"
        className="mt-2 max-h-48 max-w-full rounded-control object-contain"
      />
    )
  )
}

/** Where the image of a preview is: a file of the page, or on another server. */
type ImageSource = { path: string } | { host: string }

/**
 * Finds the image of a preview as a chat program does, which knows the address of the page alone.
 * @param entry the path of the file that a deck opens with
 * @returns null where the address leads to no image that it would load
 */
export function imageSourceOf(
  image: string | null,
  pageUrl: string,
  entry: string | null = null,
): ImageSource | null {
  const base = entry === null ? pageUrl : `${pageUrl}/${entry}`
  if (image === null || !URL.canParse(image, base)) return null
  const page = new URL(pageUrl)
  const { protocol, origin, host, pathname } = new URL(image, base)
  if (protocol !== 'https:' && protocol !== 'http:') return null
  const folder = `${page.pathname}/`
  if (origin !== page.origin || !pathname.startsWith(folder)) return { host }
  const path = percentDecoded(pathname.slice(folder.length))
  return path === null || path === '' ? null : { path }
}
