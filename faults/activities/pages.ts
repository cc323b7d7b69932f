import { type Activity, type Check, Steps, sumOf } from '../activity.ts'
import { ask, call, type Node, Refused } from '../ask.ts'

interface Page {
  name: string
  id: string | null
  steps: Steps
}

const MAX_PAGES = 40
/** Beyond this a text is stored as a file, not in a row. */
const LARGE = 90_000

/** Creates pages and replaces the content of their drafts. */
export function editing(run: string): Activity {
  const pages: Page[] = []

  /** One operation on a page at a time. */
  async function step(node: Node, page: Page): Promise<void> {
    await page.steps.take(async (number) => {
      const html = textOf(page.name, number)
      if (page.id !== null) {
        await call(node, `PATCH /pages/${page.id}`, { body: { html } })
        return
      }
      const headers = { 'idempotency-key': page.name }
      const body = { html, title: page.name }
      page.id = (await call<{ id: string }>(node, 'POST /pages', { body, headers })).id
    })
  }
  const busy = new Set<Page>()

  return {
    what: 'creates and edits',
    workers: 2,
    prepare: async () => {},
    async act(node) {
      const isNew = pages.length < MAX_PAGES && Math.random() < 0.3
      const idle = pages.filter((page) => !busy.has(page))
      let page = isNew ? undefined : idle[Math.floor(Math.random() * idle.length)]
      if (page === undefined) {
        page = { name: `${run}-page-${pages.length}`, id: null, steps: new Steps() }
        pages.push(page)
      }
      busy.add(page)
      try {
        await step(node, page)
      } finally {
        busy.delete(page)
      }
    },
    async check(node) {
      const checks: Check[] = []
      for (const page of pages) {
        // Its create got no answer. Repeated with its key, it makes one page.
        if (page.id === null) await step(node, page)
        const { html } = await call<{ html: string }>(node, `GET /pages/${page.id}/html?full=true`)
        const [, number = '0'] = /<h1>\S+ (\d+)</.exec(html) ?? []
        const check = page.steps.check(Number(number), page.name)
        if (html !== textOf(page.name, Number(number))) check.wrong.push(`${page.name} is damaged`)
        checks.push(check)
      }
      return sumOf(checks)
    },
  }
}

function textOf(name: string, number: number): string {
  const filler = number % 3 === 0 ? 'x'.repeat(LARGE) : ''
  return `<!doctype html><title>${name}</title><h1>${name} ${number}</h1><!-- ${filler} -->`
}

/** Uploads files, which nothing uses yet. */
export function uploading(run: string): Activity {
  const uploads: { id: string; html: string }[] = []
  let count = 0

  return {
    what: 'uploads',
    workers: 2,
    prepare: async () => {},
    async act(node) {
      count += 1
      const html = textOf(`${run}-upload-${count}`, count)
      const { id } = await call<{ id: string }>(node, 'POST /uploads', { body: html })
      uploads.push({ id, html })
    },
    async check(node) {
      let total = 0
      const wrong: string[] = []
      for (const { id, html } of uploads) {
        const body = { html_upload: id, publish: false }
        const page = await call<{ id: string }>(node, 'POST /pages', { body }).catch((err) => {
          wrong.push(String(err))
          return null
        })
        if (page === null) continue
        total += 1
        const path = `/pages/${page.id}`
        const stored = await call<{ html: string }>(node, `GET ${path}/html?full=true`)
        if (stored.html !== html) wrong.push(`upload ${id} is damaged`)
        await call(node, `DELETE ${path}`)
      }
      const answered = uploads.length
      uploads.length = 0
      return { answered, found: total, wrong }
    },
  }
}

/** Views of a page without a limit, whose content must be complete. */
export function viewing(maxViews: number | null): Activity {
  let page: { id: string; slug: string } | undefined
  let [sent, seen] = [0, 0]
  const html = textOf('viewed', 3)

  return {
    what: maxViews === null ? 'views' : 'views of a limited page',
    workers: 2,
    async prepare(node) {
      page = await call(node, 'POST /pages', { body: { html, max_views: maxViews } })
    },
    async act({ url }) {
      sent += 1
      const answer = await ask(`${url}/p/${page!.slug}`)
      const isClosed = answer.status === 410 && maxViews !== null && sent > maxViews
      if (answer.status !== 200 && !isClosed) throw new Refused('A view', answer)
      if (answer.status !== 200) return
      if (answer.text !== html) throw new Error(`A view was damaged: ${answer.text.slice(0, 100)}`)
      seen += 1
    },
    async check(node) {
      const { views } = await call<{ views: number }>(node, `GET /pages/${page!.id}`)
      const wrong: string[] = []
      if (views > sent) wrong.push(`${views} views were counted, and ${sent} asked for`)
      if (maxViews !== null && Math.max(views, seen) > maxViews) wrong.push('over its limit')
      return { answered: seen, found: Math.min(views, seen), wrong }
    },
  }
}
