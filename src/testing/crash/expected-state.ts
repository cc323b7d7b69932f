import type { Survey } from './survey.ts'

/** A page's content; null if the page does not exist yet, or is deleted. */
export interface PageState {
  page: { draft: string; live: string | null; versions: string[] } | null
}

/** A page of the test, and what the server must have of it. */
export interface ExpectedPage {
  /** Null until the create is answered. */
  id: string | null
  slug: string
  /** Repeated after a crash that left the create unanswered; it must not make a second page. */
  creation: { key: string; body: object }
  isDeck: boolean
  max_views: number | null
  /** The state that the answers imply, and the next one while a request is unanswered. */
  possibleStates: PageState[]
  /** Every text that was ever sent for the page: a visitor sees one of them, whole. */
  sentTexts: Set<string>
  viewsSent: number
  viewsAnswered: number
  isBusy: boolean
}

/** What the server must have, by the answers it gave. */
export interface ExpectedState {
  pages: ExpectedPage[]
  /** Uploads that were answered, and their content. */
  uploads: { id: string; text: string }[]
  survey: Survey
}

let count = 0

/** A unique text; some are too large to be stored in a row. */
export function newText(): string {
  count += 1
  const size = Math.random() < 0.3 ? 70_000 + Math.floor(Math.random() * 200_000) : 200
  return `<!doctype html><p>text ${count} of ${process.pid}</p><!-- ${'x'.repeat(size)} -->`
}

export function newPage(): ExpectedPage {
  const text = newText()
  const slug = `crash-${process.pid}-${count}`
  const isDeck = Math.random() < 0.2
  const publish = Math.random() < 0.8
  const maxViews = Math.random() < 0.4 ? 1 + Math.floor(Math.random() * 12) : null
  const created = { draft: text, live: publish ? text : null, versions: [text] }
  const settings = { slug, title: slug, publish, max_views: maxViews }
  return {
    ...{ id: null, slug, isDeck, max_views: maxViews },
    creation: { key: `key ${slug}`, body: { ...contentOf(isDeck, text), ...settings } },
    possibleStates: [{ page: null }, { page: created }],
    sentTexts: new Set([text]),
    ...{ viewsSent: 0, viewsAnswered: 0, isBusy: false },
  }
}

/** The members of a request that carry the text. */
export function contentOf(isDeck: boolean, text: string): object {
  if (!isDeck) return { html: text }
  const asset = {
    path: 'a.json',
    data_base64: Buffer.from(JSON.stringify(text)).toString('base64'),
  }
  return { files: [{ path: 'index.html', html: text }], assets: [asset] }
}

/** The state after each kind of write. */
export const STATE_AFTER = {
  replace: (text: string) => withDraft((page) => ({ ...page, draft: text })),
  edit: (text: string, publish: boolean) =>
    withDraft((page) => ({ ...page, draft: text, live: publish ? text : page.live })),
  publish: withDraft((page) => ({ ...page, live: page.draft })),
  unpublish: withDraft((page) => ({ ...page, live: null })),
  delete: (): PageState => ({ page: null }),
  restore:
    (versionNo: number, publish: boolean) =>
    (before: PageState): PageState => {
      const { versions, live } = before.page!
      const text = versions[versionNo - 1]!
      return {
        page: { draft: text, live: publish ? text : live, versions: [...versions, text] },
      }
    },
}

type Content = NonNullable<PageState['page']>

/** Adds a version, unless the newest one already has the draft's content. */
function withDraft(change: (page: Content) => Content): (before: PageState) => PageState {
  return ({ page }) => {
    const next = change(page!)
    const isNew = next.draft !== next.versions.at(-1)
    return { page: { ...next, versions: isNew ? [...next.versions, next.draft] : next.versions } }
  }
}
