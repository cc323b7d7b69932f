import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AFTER, type Entry, type Ledger, type State } from './ledger.ts'
import { ask, create, look, type Server } from './load.ts'
import { verifySurvey } from './responders.ts'

interface Listed {
  id: string
  slug: string
  is_published: boolean
  has_unpublished_changes: boolean
}

/** Something is live, and nobody may look at it without being counted. */
const UNSEEN = 'unseen'

/** All that was answered is there, exactly; of what was not, all or nothing. */
export async function verify(server: Server, ledger: Ledger): Promise<void> {
  const known = new Set(ledger.entries.map(({ slug }) => slug))
  known.add(ledger.survey.page!.slug)
  for (const page of await listAll(server)) expect(known.has(page.slug)).toBe(true)
  await verifySurvey(server, ledger)
  for (const entry of ledger.entries) {
    entry.isBusy = false
    if (entry.id === null) await create(server, ledger, entry)
    await verifyPage(server, entry)
  }
  ledger.entries = ledger.entries.filter(({ states }) => states[0]!.page !== null)
  for (const { id, text } of ledger.uploads.splice(0)) {
    const { status, data } = await ask(server, 'POST', '/pages', { body: { html_upload: id } })
    const page = data as Listed
    expect(status).toBe(201)
    expect(await htmlOf(server, page.id)).toBe(text)
    expect((await ask(server, 'DELETE', `/pages/${page.id}`)).status).toBe(204)
  }
}

async function verifyPage(server: Server, entry: Entry): Promise<void> {
  const found = await stateOf(server, entry)
  const possible = entry.states.filter((state) => isSame(state, found))
  if (possible.length === 0) expect(summaryOf(found)).toEqual(entry.states.map(summaryOf))
  entry.states = possible
  if (found.page === null) return
  const views = await viewsOf(server, entry)
  const most = entry.max_views ?? Infinity
  expect(views).toBeGreaterThanOrEqual(entry.opensAnswered)
  expect(views).toBeLessThanOrEqual(Math.min(entry.opensSent, most))
  expect(entry.opensAnswered).toBeLessThanOrEqual(most)

  const shown = await look(server, entry)
  expect(shown !== null).toBe(found.page.live !== null && views < most)
  expect(await viewsOf(server, entry)).toBe(views + (shown === null ? 0 : 1))
  if (shown !== null) {
    // What is left has the same draft, versions and live content: it is one.
    entry.states = possible.filter(({ page }) => page?.live === shown).slice(0, 1)
    expect(entry.states).toHaveLength(1)
  }
  if (entry.states.length > 1) await settle(server, entry)
}

/** A request went unanswered, and nobody may look whether it was carried out: do it again. */
async function settle(server: Server, entry: Entry): Promise<void> {
  expect((await ask(server, 'POST', `/pages/${entry.id}/publish`)).status).toBe(200)
  entry.states = [AFTER.publish(entry.states[0]!)]
}

async function stateOf(server: Server, entry: Entry): Promise<State> {
  const { status, data } = await ask(server, 'GET', `/pages/${entry.id}`)
  if (status === 404) return { page: null }
  const draft = await htmlOf(server, entry.id!)
  const path = `/pages/${entry.id}/versions`
  const list = (await ask(server, 'GET', path)).data as { version_no: number }[]
  const versions: string[] = []
  for (const { version_no: versionNo } of list.reverse()) {
    expect(versionNo).toBe(versions.length + 1)
    versions.push(textIn((await ask(server, 'GET', `${path}/${versionNo}`)).data))
  }
  const { is_published: isPublished, has_unpublished_changes: hasUnpublishedChanges } =
    data as Listed
  const live = !isPublished ? null : hasUnpublishedChanges ? await liveOf(server, entry) : draft
  return { page: { draft, live, versions } }
}

/** As an agent sees it that does not count; behind a view limit it sees nothing. */
async function liveOf(
  { url }: Server,
  { slug, isDeck, max_views: maxViews }: Entry,
): Promise<string> {
  if (maxViews !== null) return UNSEEN
  const path = `/p/${slug}${isDeck ? '/index.html' : ''}`
  const answer = await fetch(url + path, { headers: { 'user-agent': 'Slackbot 1.0' } })
  return answer.text()
}

function isSame({ page }: State, { page: found }: State): boolean {
  if (page === null || found === null) return page === found
  const isLive = found.live === UNSEEN ? page.live !== null : page.live === found.live
  return isLive && page.draft === found.draft && Bun.deepEquals(page.versions, found.versions)
}

async function htmlOf(server: Server, id: string): Promise<string> {
  return textIn((await ask(server, 'GET', `/pages/${id}/html?full=true`)).data)
}
function textIn(content: { html?: string; files?: { html: string }[] }): string {
  return content.html ?? content.files![0]!.html
}

async function viewsOf(server: Server, { id }: Entry): Promise<number> {
  return ((await ask(server, 'GET', `/pages/${id}`)).data as { views: number }).views
}

async function listAll(server: Server): Promise<Listed[]> {
  const all: Listed[] = []
  for (let offset = 0; ; offset += 200) {
    const page = (await ask(server, 'GET', `/pages?limit=200&offset=${offset}`)).data as Listed[]
    all.push(...page)
    if (page.length < 200) return all
  }
}

function summaryOf({ page }: State): object {
  const shorten = (text: string | null) => text?.slice(0, 60) ?? null
  if (page === null) return { page }
  return {
    draft: shorten(page.draft),
    live: shorten(page.live),
    versions: page.versions.map(shorten),
  }
}

/** The files as the crash left them, looked at aside: the server is to recover them by itself. */
export function expectIntact(dataDir: string): void {
  const aside = mkdtempSync(join(tmpdir(), 'handbill-crashed-'))
  try {
    cpSync(dataDir, aside, {
      recursive: true,
      filter: (path) => path === dataDir || path.includes('handbill.db'),
    })
    const database = new Database(join(aside, 'handbill.db'))
    expect(database.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    expect(database.query('PRAGMA foreign_key_check').all()).toEqual([])
    const missing = `
      SELECT hash FROM manifest_blobs WHERE hash NOT IN (SELECT hash FROM blobs)
      UNION ALL SELECT draft_id FROM pages WHERE draft_id NOT IN (SELECT id FROM manifests)
      UNION ALL SELECT published_id FROM pages WHERE published_id NOT IN (SELECT id FROM manifests)
      UNION ALL SELECT manifest_id FROM versions WHERE manifest_id NOT IN (SELECT id FROM manifests)`
    expect(database.query(missing).all()).toEqual([])
    const adding = `
      SELECT page_id FROM view_counters WHERE views <> (SELECT coalesce(sum(views), 0)
        FROM view_hours WHERE view_hours.page_id = view_counters.page_id)`
    expect(database.query(adding).all()).toEqual([])
    const collecting = `
      SELECT page_id FROM response_counters AS counted WHERE (count, bytes) <> (
        SELECT count(*), coalesce(sum(size_bytes), 0) FROM responses
        WHERE responses.page_id = counted.page_id)`
    expect(database.query(collecting).all()).toEqual([])
    database.close()
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}
