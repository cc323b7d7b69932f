import type { Survey } from './responders.ts'

/** A page as the answers told, and as it may be if an unanswered request was carried out. */
export interface State {
  /** Null where it was never made, or is deleted. */
  page: { draft: string; live: string | null; versions: string[] } | null
}

export interface Entry {
  /** Null until the create is answered. */
  id: string | null
  slug: string
  /** Sent again after a crash that left the create unanswered: it must make no second page. */
  creation: { key: string; body: object }
  isDeck: boolean
  max_views: number | null
  /** One state while every request is answered; one more while a request is not. */
  states: State[]
  /** Every text that was ever sent for it: visitors see one of these, whole. */
  texts: Set<string>
  opensSent: number
  opensAnswered: number
  isBusy: boolean
}

export interface Ledger {
  entries: Entry[]
  /** Uploads that were answered, and what they hold. */
  uploads: { id: string; text: string }[]
  survey: Survey
}

let count = 0

/** Unlike any other: small enough for a row, or not. */
export function newText(): string {
  count += 1
  const size = Math.random() < 0.3 ? 70_000 + Math.floor(Math.random() * 200_000) : 200
  return `<!doctype html><p>text ${count} of ${process.pid}</p><!-- ${'x'.repeat(size)} -->`
}

export function newEntry(): Entry {
  const text = newText()
  const slug = `crash-${process.pid}-${count}`
  const isDeck = Math.random() < 0.2
  const publish = Math.random() < 0.8
  const maxViews = Math.random() < 0.4 ? 1 + Math.floor(Math.random() * 12) : null
  const made = { draft: text, live: publish ? text : null, versions: [text] }
  const settings = { slug, title: slug, publish, max_views: maxViews }
  return {
    ...{ id: null, slug, isDeck, max_views: maxViews },
    creation: { key: `key ${slug}`, body: { ...contentOf(isDeck, text), ...settings } },
    states: [{ page: null }, { page: made }],
    texts: new Set([text]),
    ...{ opensSent: 0, opensAnswered: 0, isBusy: false },
  }
}

/** The members of a request that hold the text. */
export function contentOf(isDeck: boolean, text: string): object {
  if (!isDeck) return { html: text }
  const asset = {
    path: 'a.json',
    data_base64: Buffer.from(JSON.stringify(text)).toString('base64'),
  }
  return { files: [{ path: 'index.html', html: text }], assets: [asset] }
}

/** What each write makes of a page. */
export const AFTER = {
  replace: (text: string) => changing((page) => ({ ...page, draft: text })),
  edit: (text: string, publish: boolean) =>
    changing((page) => ({ ...page, draft: text, live: publish ? text : page.live })),
  publish: changing((page) => ({ ...page, live: page.draft })),
  unpublish: changing((page) => ({ ...page, live: null })),
  delete: (): State => ({ page: null }),
  restore:
    (versionNo: number, publish: boolean) =>
    (before: State): State => {
      const { versions, live } = before.page!
      const text = versions[versionNo - 1]!
      return {
        page: { draft: text, live: publish ? text : live, versions: [...versions, text] },
      }
    },
}

type Page = NonNullable<State['page']>

/** Content that the newest version holds is not saved again. */
function changing(change: (page: Page) => Page): (before: State) => State {
  return ({ page }) => {
    const next = change(page!)
    const isNew = next.draft !== next.versions.at(-1)
    return { page: { ...next, versions: isNew ? [...next.versions, next.draft] : next.versions } }
  }
}
