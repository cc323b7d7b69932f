import { MAX_OG_DESCRIPTION, MAX_OG_TITLE } from '../../../../../src/model/page/limits.ts'
import type { Page } from '../../../boot.ts'
import { TextArea, TextField } from '../../../ui/field.tsx'
import { Section } from '../section.tsx'
import { SettingSwitch } from '../setting-switch.tsx'
import { useSharing } from '../sharing.ts'
import { type Parsed, useDraft } from '../use-draft.ts'
import { type PreviewTexts, useOwnPreview } from './own-preview.ts'

/** How the link looks in chat programs, and whether search engines list the page. */
export function LinkPreview() {
  const { page } = useSharing()
  const title = useText('og_title', 'Link title', MAX_OG_TITLE)
  const description = useText('og_description', 'Link description', MAX_OG_DESCRIPTION)
  const own = useDefaultPreview(page)
  return (
    <Section title="In chats and search">
      <PreviewCard
        host={new URL(page.url).host}
        title={title.text.trim() || own.title}
        description={description.text.trim() || own.description}
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
function useDefaultPreview(page: Page): PreviewTexts {
  const own = useOwnPreview(page)
  if (page.access !== 'link' || page.max_views !== null) {
    return { title: `A page on ${new URL(page.url).host}`, description: null }
  }
  return { title: own.title ?? page.title ?? page.slug, description: own.description }
}

interface PreviewCardProps extends PreviewTexts {
  host: string
}

/** The link as chat programs show it below a message. */
function PreviewCard({ host, title, description }: PreviewCardProps) {
  return (
    <figure
      aria-label="Preview of the link"
      className="max-w-md rounded-card border border-line bg-paper p-3"
    >
      <div className="border-l-4 border-line pl-3">
        <p className="truncate text-12 text-muted">{host}</p>
        <p className="line-clamp-2 font-semibold break-words" dir="auto">
          {title}
        </p>
        {description && (
          <p className="line-clamp-3 text-13 break-words text-muted" dir="auto">
            {description}
          </p>
        )}
      </div>
    </figure>
  )
}
