/** POST /uploads/links, the tool `create_upload`, and the addresses that they make. */
import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zipOf } from '../src/testing/zips.ts'
import { type Answer, dataOf, free, other, pro, send, type Upload, visitor } from './client.ts'
import { everyCase, expectRefusal, timestamp } from './expect.ts'
import { html, htmlOfSize, pdf, sha256 } from './material.ts'
import { agent } from './mcp-client.ts'
import { server, serverLog } from './server.ts'

interface Link {
  id: string
  url: string
  command: string
  expires_at: string
}

const linkOf = async (owner = pro) => dataOf<Link>(await owner.call('POST', '/uploads/links'), 201)
const put = (url: string, body: BodyInit, headers: Record<string, string> = {}) =>
  send(new URL(url).pathname, { method: 'PUT', body, headers })
const uploadIn = (answer: Answer) => dataOf<Upload>(answer, 201)

test('an upload link takes a file without a key, once, and its id becomes a page', async () => {
  const { id, url, command, expires_at: expiresAt } = await linkOf()
  expect(url).toStartWith(`${server.url}/~/uploads/`)
  expect(command).toBe(`curl --upload-file FILE '${url}'`)
  expect(expiresAt).toMatch(timestamp)
  const minutes = (Date.parse(expiresAt) - Date.now()) / 60_000
  expect(minutes).toBeGreaterThan(14)
  expect(minutes).toBeLessThanOrEqual(15.1)
  expectRefusal(await pro.create({ html_upload: id }), 400, 'upload_not_found')

  const large = htmlOfSize(6_000_000, 'large')
  const upload = uploadIn(await put(url, large))
  expect(upload).toMatchObject({ id, size_bytes: large.length, sha256: sha256(large) })
  const page = await pro.publish({ html_upload: id })
  expect(page.size_bytes).toBe(large.length)

  expectRefusal(await put(url, 'again'), 404, 'upload_link_gone')
  expect(await pro.draft(page.id)).toBe(large)
})

test('the command of an upload link runs as it is, and POST does as PUT', async () => {
  const { id, command } = await linkOf()
  const folder = mkdtempSync(join(tmpdir(), 'handbill-upload-'))
  writeFileSync(join(folder, 'FILE'), pdf())
  const child = Bun.spawn(['sh', '-c', command.replace('curl', 'curl -sS')], {
    cwd: folder,
    stdout: 'pipe',
  })
  const answer = JSON.parse(await new Response(child.stdout).text()) as { data: Upload }
  rmSync(folder, { recursive: true })
  expect(answer.data).toMatchObject({ id, sha256: sha256(pdf()) })
  const page = await pro.publish({ file_upload: id, filename: 'a.pdf' })
  expect(page.file).toMatchObject({ mime: 'application/pdf' })
  const { url } = await linkOf()
  const posted = await send(new URL(url).pathname, { method: 'POST', body: 'text' })
  expect(uploadIn(posted).size_bytes).toBe(4)
})

test('an upload link belongs to its account, and opens nothing else', async () => {
  const { id, url } = await linkOf()
  const token = url.slice(url.lastIndexOf('/') + 1)
  uploadIn(await put(url, html('mine')))
  expectRefusal(await other.create({ html_upload: id }), 400, 'upload_not_found')
  const authorization = `Bearer ${token}`
  expectRefusal(await send('/api/v1/pages', { headers: { authorization } }), 401)
  expectRefusal(await send('/api/v1/uploads/links', { method: 'POST' }), 401, 'missing_key')
  const read = await send(new URL(url).pathname)
  expect([read.status, read.headers.get('allow')]).toEqual([405, 'PUT, POST'])
  expect(read.text).not.toContain('mine')
})

test('a token that was changed, cut or made up is refused alike', async () => {
  const [{ url }, theirs] = [await linkOf(), await linkOf(other)]
  const token = url.slice(url.lastIndexOf('/') + 1)
  const [id, account, expires, signature] = token.split('.') as [string, string, string, string]
  const [, otherAccount] = theirs.url.split('.').slice(-4) as [string, string]
  const later = (Number.parseInt(expires, 36) + 3600).toString(36)
  const flipped = (signature.startsWith('a') ? 'b' : 'a') + signature.slice(1)
  await everyCase(
    Object.entries({
      account: [id, otherAccount, expires, signature],
      expiry: [id, account, later, signature],
      signature: [id, account, expires, flipped],
      'no signature': [id, account, expires, ''],
      cut: [id, account],
      'a made up id': [`up_${'0'.repeat(26)}`, account, expires, signature],
      long: ['x'.repeat(5000)],
      text: ['%00'],
    }),
    async (parts) => {
      const answer = await put(`${server.url}/~/uploads/${parts.join('.')}`, html('forged'))
      const { message } = expectRefusal(answer, 404, 'upload_link_gone')
      expect(message).not.toContain(id)
    },
  )
  uploadIn(await put(url, html('still good')))
})

test('a link survives an upload that fails, and takes what the plan allows', async () => {
  const { url } = await linkOf(free)
  expectRefusal(await put(url, ''), 400, 'empty_upload')
  expectRefusal(await put(url, 'x'.repeat(6_000_000)), 413, 'content_too_large')
  const gzip = { 'content-encoding': 'gzip' }
  expectRefusal(await put(url, 'x', gzip), 415, 'encoded_body')
  expect(uploadIn(await put(url, html('at last'))).size_bytes).toBe(html('at last').length)
})

test('of uploads to one link at the same time, one is taken', async () => {
  const { id, url } = await linkOf()
  const bodies = Array.from({ length: 5 }, (_, n) => html(`upload ${n}`))
  const answers = await Promise.all(bodies.map((body) => put(url, body)))
  const taken = answers.filter(({ status }) => status === 201)
  expect(taken).toHaveLength(1)
  for (const answer of answers) {
    if (answer !== taken[0]) expectRefusal(answer, 404, 'upload_link_gone')
  }
  const page = await pro.publish({ html_upload: id })
  expect(page.sha256).toBe(uploadIn(taken[0]!).sha256)
})

test('the tool create_upload answers the link, and publish_page takes its id', async () => {
  await using mcp = await agent('http')
  const made = await mcp.call('create_upload', {})
  const { id, url, command } = made.json.data as Link
  expect(command).toContain(url)
  expect(made.text).not.toContain('draft')
  uploadIn(await put(url, html('by a tool')))
  const { json } = await mcp.call('publish_page', { html_upload: id })
  expect(json.data.state).toBe('live')
  expect((await pro.page(json.data.id)).source).toBe('mcp')
})

test('a zip that went to the link becomes a deck by publish_file, and update_page replaces it', async () => {
  await using mcp = await agent('http')
  const upload = async (words: string) => {
    const { id, url } = (await mcp.call('create_upload', {})).json.data as Link
    const zip = zipOf(
      { path: 'site/index.html', content: html(words) },
      { path: 'site/a/two.html', content: html(`${words} two`) },
    )
    uploadIn(await put(url, zip as BodyInit))
    return { file_upload: id, filename: 'site.zip' }
  }
  const { json } = await mcp.call('publish_file', await upload('first'))
  const page = await pro.page(json.data.id)
  expect(page).toMatchObject({ kind: 'bundle', source: 'mcp', file_count: 2 })
  expect((await visitor.open(`${page.slug}/a/two.html`)).text).toContain('first two')
  await mcp.call('update_page', { page_id: page.id, ...(await upload('second')) })
  await mcp.call('publish', { page_id: page.id })
  expect((await visitor.open(`${page.slug}/a/two.html`)).text).toContain('second two')
  const { isError, json: refused } = await mcp.call('publish_file', {
    file_upload: (await upload('x')).file_upload,
    filename: 'site.tar.gz',
  })
  expect([isError, refused.error.code]).toEqual([true, 'unsupported_file_type'])
})

test('the log never has the secret of an upload link', async () => {
  const { url } = await linkOf()
  const token = url.slice(url.lastIndexOf('/') + 1)
  await put(url, html('logged'))
  await put(url, html('logged'))
  await send(`/~/uploads/${token}/more`, { method: 'PUT', body: 'x' })
  if (!server.own) return
  expect(serverLog()).toContain('/~/uploads/:token')
  expect(serverLog()).not.toContain(token.slice(-22))
})
