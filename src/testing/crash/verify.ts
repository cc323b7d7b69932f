import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ExpectedPage,
  type ExpectedState,
  type PageState,
  STATE_AFTER,
} from './expected-state.ts'
import { create, view } from './load.ts'
import { callApi, type Server } from './request.ts'
import { verifySurvey } from './survey.ts'

interface Listed {
  id: string
  slug: string
  is_published: boolean
  has_unpublished_changes: boolean
}

/** Stands for published content that cannot be read without counting a view. */
const UNREAD = 'unread'

/** Checks that all answered writes are there exactly, and unanswered ones wholly or not at all. */
export async function verify(server: Server, expected: ExpectedState): Promise<void> {
  const slugs = new Set(expected.pages.map(({ slug }) => slug))
  slugs.add(expected.survey.page!.slug)
  for (const page of await listAll(server)) expect(slugs.has(page.slug)).toBe(true)
  await verifySurvey(server, expected.survey)
  for (const page of expected.pages) {
    page.isBusy = false
    if (page.id === null) await create(server, expected, page)
    await verifyPage(server, page)
  }
  expected.pages = expected.pages.filter(({ possibleStates: [state] }) => state!.page !== null)
  for (const { id, text } of expected.uploads.splice(0)) {
    const { status, data } = await callApi(server, 'POST /pages', { body: { html_upload: id } })
    const page = data as Listed
    expect(status).toBe(201)
    expect(await htmlOf(server, page.id)).toBe(text)
    expect((await callApi(server, `DELETE /pages/${page.id}`)).status).toBe(204)
  }
}

async function verifyPage(server: Server, page: ExpectedPage): Promise<void> {
  const result = await stateOf(server, page)
  const matching = page.possibleStates.filter((state) => isSame(state, result))
  if (matching.length === 0) expect(shorten(result)).toEqual(page.possibleStates.map(shorten))
  page.possibleStates = matching
  if (result.page === null) return
  const output = await verifyViews(server, page, result.page.live !== null)
  if (output !== null) {
    // The remaining states have the same draft, versions and live content, so one is enough.
    page.possibleStates = matching
      .filter(({ page: content }) => content?.live === output)
      .slice(0, 1)
    expect(page.possibleStates).toHaveLength(1)
  }
  if (page.possibleStates.length > 1) await republish(server, page)
}

/** Checks the number of views and its limit. Returns what one more view shows. */
async function verifyViews(
  server: Server,
  page: ExpectedPage,
  isLive: boolean,
): Promise<string | null> {
  const views = await viewsOf(server, page)
  const maxViews = page.max_views ?? Infinity
  expect(views).toBeGreaterThanOrEqual(page.viewsAnswered)
  expect(views).toBeLessThanOrEqual(Math.min(page.viewsSent, maxViews))
  expect(page.viewsAnswered).toBeLessThanOrEqual(maxViews)

  const output = await view(server, page)
  expect(output !== null).toBe(isLive && views < maxViews)
  expect(await viewsOf(server, page)).toBe(views + (output === null ? 0 : 1))
  return output
}

/** Publishes again, since it cannot be seen whether an unanswered request was carried out. */
async function republish(server: Server, page: ExpectedPage): Promise<void> {
  expect((await callApi(server, `POST /pages/${page.id}/publish`)).status).toBe(200)
  page.possibleStates = [STATE_AFTER.publish(page.possibleStates[0]!)]
}

async function stateOf(server: Server, page: ExpectedPage): Promise<PageState> {
  const { status, data } = await callApi(server, `GET /pages/${page.id}`)
  if (status === 404) return { page: null }
  const draft = await htmlOf(server, page.id!)
  const path = `/pages/${page.id}/versions`
  const list = (await callApi(server, `GET ${path}`)).data as { version_no: number }[]
  const versions: string[] = []
  for (const { version_no: versionNo } of list.reverse()) {
    expect(versionNo).toBe(versions.length + 1)
    versions.push(textIn((await callApi(server, `GET ${path}/${versionNo}`)).data))
  }
  const { is_published: isPublished, has_unpublished_changes: hasUnpublishedChanges } =
    data as Listed
  const live = !isPublished ? null : hasUnpublishedChanges ? await liveOf(server, page) : draft
  return { page: { draft, live, versions } }
}

/** Reads the published content as a link preview agent, which is not counted as a view. */
async function liveOf(
  { url }: Server,
  { slug, isDeck, max_views: maxViews }: ExpectedPage,
): Promise<string> {
  if (maxViews !== null) return UNREAD
  const path = `/p/${slug}${isDeck ? '/index.html' : ''}`
  const answer = await fetch(url + path, { headers: { 'user-agent': 'Slackbot 1.0' } })
  return (await answer.text()).replace(PICTURE, '')
}

/** What an agent of chats gets besides the page. */
const PICTURE = /<meta property="og:image" [^>]*><meta name="twitter:card" [^>]*>/

function isSame({ page }: PageState, { page: found }: PageState): boolean {
  if (page === null || found === null) return page === found
  const isLive = found.live === UNREAD ? page.live !== null : page.live === found.live
  return isLive && page.draft === found.draft && Bun.deepEquals(page.versions, found.versions)
}

async function htmlOf(server: Server, id: string): Promise<string> {
  return textIn((await callApi(server, `GET /pages/${id}/html?full=true`)).data)
}
function textIn(content: { html?: string; files?: { html: string }[] }): string {
  return content.html ?? content.files![0]!.html
}

async function viewsOf(server: Server, { id }: ExpectedPage): Promise<number> {
  return ((await callApi(server, `GET /pages/${id}`)).data as { views: number }).views
}

async function listAll(server: Server): Promise<Listed[]> {
  const all: Listed[] = []
  for (let offset = 0; ; offset += 200) {
    const page = (await callApi(server, `GET /pages?limit=200&offset=${offset}`)).data as Listed[]
    all.push(...page)
    if (page.length < 200) return all
  }
}

/** A state short enough for the message of a failed assertion. */
function shorten({ page }: PageState): object {
  const start = (text: string | null) => text?.slice(0, 60) ?? null
  if (page === null) return { page }
  return { draft: start(page.draft), live: start(page.live), versions: page.versions.map(start) }
}

/** Checks a copy of the database files: the server must recover the originals by itself. */
export function expectIntactDatabase(dataDir: string): void {
  const copy = mkdtempSync(join(tmpdir(), 'handbill-crashed-'))
  try {
    cpSync(dataDir, copy, {
      recursive: true,
      filter: (path) => path === dataDir || path.includes('handbill.db'),
    })
    const database = new Database(join(copy, 'handbill.db'))
    expect(database.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    expect(database.query('PRAGMA foreign_key_check').all()).toEqual([])
    const danglingReferences = `
      SELECT hash FROM manifest_blobs WHERE hash NOT IN (SELECT hash FROM blobs)
      UNION ALL SELECT draft_id FROM pages WHERE draft_id NOT IN (SELECT id FROM manifests)
      UNION ALL SELECT published_id FROM pages WHERE published_id NOT IN (SELECT id FROM manifests)
      UNION ALL SELECT manifest_id FROM versions WHERE manifest_id NOT IN (SELECT id FROM manifests)`
    expect(database.query(danglingReferences).all()).toEqual([])
    const wrongViewCounts = `
      SELECT page_id FROM view_counters WHERE views <> (SELECT coalesce(sum(views), 0)
        FROM view_hours WHERE view_hours.page_id = view_counters.page_id)`
    expect(database.query(wrongViewCounts).all()).toEqual([])
    const wrongResponseCounts = `
      SELECT page_id FROM response_counters AS counted WHERE (count, bytes) <> (
        SELECT count(*), coalesce(sum(size_bytes), 0) FROM responses
        WHERE responses.page_id = counted.page_id)`
    expect(database.query(wrongResponseCounts).all()).toEqual([])
    database.close()
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
