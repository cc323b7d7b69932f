import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import type { Page } from '../../../boot.ts'
import { kindOf } from '../../words.ts'

export interface OwnPreview {
  title: string | null
  description: string | null
  /** The address of its image, as the HTML has it. */
  image: string | null
}

/** A larger page is not read just to show how its link looks. */
const MAX_BYTES = 1024 * 1024
const NONE: OwnPreview = { title: null, description: null, image: null }

/** What the page's own HTML says to chat programs. */
export function useOwnPreview(page: Page): OwnPreview {
  const isRead = ['page', 'deck'].includes(kindOf(page)) && page.size_bytes <= MAX_BYTES
  const { data } = useQuery({
    queryKey: ['own-preview', page.id, page.updated_at, page.sha256],
    queryFn: async () => {
      const { data: draft } = await api.readHtml({ id: page.id })
      if (draft.kind === 'single') return previewIn(draft.html)
      return previewIn(draft.files.find(({ path }) => path === draft.entry)?.html ?? '')
    },
    enabled: isRead,
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data ?? NONE
}

/** A document that is parsed alone runs no script and loads nothing. */
export function previewIn(html: string): OwnPreview {
  const { head, title } = new DOMParser().parseFromString(html, 'text/html')
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
