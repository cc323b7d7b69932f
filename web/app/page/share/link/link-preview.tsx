import { MAX_OG_DESCRIPTION, MAX_OG_TITLE } from '../../../../../src/model/page/limits.ts'
import type { Page } from '../../../boot.ts'
import { TextArea, TextField } from '../../../ui/field.tsx'
import { kindOf } from '../../words.ts'
import { Section } from '../section.tsx'
import { SettingSwitch } from '../setting-switch.tsx'
import { useSharing } from '../sharing.ts'
import { type Parsed, useDraft } from '../use-draft.ts'
import { type ImageSource, imageSourceOf } from './image-source.ts'
import { type OwnPreview, useOwnPreview } from './own-preview.ts'
import { PreviewCard } from './preview-card.tsx'

/** How the link looks in chat programs, and whether search engines list the page. */
export function LinkPreview() {
  const { page } = useSharing()
  const title = useText('og_title', 'Link title', MAX_OG_TITLE)
  const description = useText('og_description', 'Link description', MAX_OG_DESCRIPTION)
  const own = useDefaultPreview(page)
  return (
    <Section title="In chats and search">
      <PreviewCard
        page={page}
        title={title.text.trim() || own.title}
        description={description.text.trim() || own.description}
        image={imageOf(page, own.image)}
      />
      <TextField
        label="Link title"
        dir="auto"
        placeholder={own.title ?? ''}
        error={title.error}
        {...title.props}
      />
      <TextArea
        label="Link description"
        dir="auto"
        rows={2}
        placeholder={own.description ?? ''}
        error={description.error}
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

function useText(name: 'og_title' | 'og_description', label: string, max: number) {
  const { page } = useSharing()
  return useDraft({
    field: name,
    label,
    stored: page[name] ?? '',
    parse: (text): Parsed => {
      const value = text.normalize('NFC').replace(/\s+/g, ' ').trim()
      if (value === (page[name] ?? '')) return null
      if ([...value].length > max) return { problem: `At most ${max} characters.` }
      return { values: { [name]: value || null } }
    },
  })
}

/** What programs show where the owner sets nothing. Of a gated page they get no content. */
function useDefaultPreview(page: Page): OwnPreview {
  const own = useOwnPreview(page)
  if (page.access !== 'link' || page.max_views !== null) {
    return { title: `A page on ${new URL(page.url).host}`, description: null, image: null }
  }
  return { ...own, title: own.title ?? page.title ?? page.slug }
}

/** The image beside the texts. A page that is an image is its own. */
function imageOf(page: Page, image: string | null): ImageSource | null {
  const isOpen = page.access === 'link' && page.max_views === null
  if (isOpen && kindOf(page) === 'image') return { path: page.file!.name }
  return imageSourceOf(image, page.url, page.entry_path)
}
