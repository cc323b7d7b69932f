import type { Page, PageObject } from '../../model/page/index.ts'
import type { Outline } from '../content/index.ts'
import type { Counter } from '../views/index.ts'

/** The page object of one page, from all that it is made of. */
export function presentPage(
  page: Page,
  outline: Outline,
  counter: Counter,
  { baseUrl, password }: { baseUrl: string; password?: string | undefined },
): PageObject {
  const { settings } = page
  return {
    ...settings,
    id: page.id,
    slug: page.slug,
    url: `${baseUrl}/p/${page.slug}`,
    title: page.title,
    perm: 'owner',
    people: settings.allowed_emails.map((email) => ({ email, role: 'view' })),
    ...(password !== undefined && { password }),
    source: page.source,
    kind: outline.kind,
    entry_path: outline.kind === 'bundle' ? outline.entry : null,
    file_count: outline.html_count,
    size_bytes: outline.size_bytes,
    sha256: outline.sha256,
    file: outline.file,
    is_published: page.published_id !== null,
    has_unpublished_changes: page.published_id !== page.draft_id,
    published_at: page.published_at,
    created_at: page.created_at,
    updated_at: page.updated_at,
    views: counter.views,
    max_views: counter.max_views,
  }
}
