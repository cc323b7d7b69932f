import type { Page } from '../../../boot.ts'
import { useFileUrl } from '../../use-file-url.ts'
import type { ImageSource } from './image-source.ts'

interface PreviewCardProps {
  page: Page
  title: string | null
  description: string | null
  image: ImageSource | null
}

/** The link as chat programs show it below a message. */
export function PreviewCard({ page, title, description, image }: PreviewCardProps) {
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
        {image && <PreviewImage pageId={page.id} image={image} />}
      </div>
    </figure>
  )
}

/** An image of another server is named and not loaded: that server would see the owner. */
function PreviewImage({ pageId, image }: { pageId: string; image: ImageSource }) {
  const path = 'path' in image ? image.path : null
  const { url, error } = useFileUrl(pageId, path)
  if ('host' in image) {
    return (
      <p className="mt-1 text-12 break-words text-muted">
        With an image of {image.host}, which is not loaded here.
      </p>
    )
  }
  if (error !== null) {
    return (
      <p className="mt-1 text-12 break-words text-muted">Its image {path} is not in the page.</p>
    )
  }
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
