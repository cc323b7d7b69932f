import { expect, test } from 'bun:test'
import { free, pro } from './client.ts'
import { expectPage, pageFields } from './expect.ts'
import { base64, html, pdf, word } from './material.ts'

const settings = {
  access: 'link',
  allowed_emails: [],
  people: [],
  accent: 'blue',
  indexed: false,
  expires_at: null,
  max_views: null,
  download_disabled: false,
  watermark: false,
  notify_on_view: false,
  allow_comments: false,
  comments_require_email: false,
  collect_approvals: false,
  approver_emails: [],
  approvals_visibility: 'owner',
  collect_votes: false,
  poll_question: null,
  poll_options: [],
  poll_require_email: false,
  poll_results: 'public',
  poll_named: false,
  poll_closes_at: null,
  require_signin: false,
  allow_access_requests: false,
  business_only: false,
  allowed_domains: [],
  og_title: null,
  og_description: null,
}

test('a page created with its content alone has every default', async () => {
  for (const owner of [pro, free]) {
    const title = word('Plain')
    const page = await owner.publish({ html: html('x', title) })
    expectPage(page)
    expect(page).toMatchObject({
      ...settings,
      title,
      perm: 'owner',
      source: 'api',
      kind: 'single',
      entry_path: null,
      file_count: 1,
      file: null,
      is_published: true,
      has_unpublished_changes: false,
      views: 0,
    })
    expect(page).not.toHaveProperty('password')
  }
})

test('a deck has the same defaults', async () => {
  const page = await pro.publish({ files: [{ path: 'index.html', html: html('x') }] })
  expectPage(page)
  expect(page).toMatchObject({ ...settings, kind: 'bundle', entry_path: 'index.html', views: 0 })
})

test('a PDF has the same defaults', async () => {
  const page = await pro.publish({ file_base64: base64(pdf()), filename: `${word('p')}.pdf` })
  expectPage(page)
  expect(page).toMatchObject({ ...settings, kind: 'single', entry_path: null, file_count: 1 })
})

test('every field of the page object is in the answers of create, get, update and list', async () => {
  const created = await pro.publish({ html: html('x') })
  const got = await pro.page(created.id)
  const updated = await pro.update(created.id, { indexed: false })
  const listed = (await pro.list()).data.find((page) => page.id === created.id)
  const names = Object.keys(pageFields).sort()
  for (const page of [created, got, updated, listed!]) {
    expectPage(page)
    expect(Object.keys(page)).toEqual(expect.arrayContaining(names))
  }
  expect(got).toEqual(created)
})

test('a new page has equal created_at, updated_at and published_at', async () => {
  const page = await pro.publish({ html: html('x') })
  const span = Date.parse(page.updated_at) - Date.parse(page.created_at)
  expect(span).toBeGreaterThanOrEqual(0)
  expect(span).toBeLessThan(1000)
  expect(Math.abs(Date.parse(page.published_at!) - Date.parse(page.created_at))).toBeLessThan(1000)
})
