import { expect, test } from 'bun:test'
import { dataOf, type FullVersion, type Page, pro, send, type Version, visitor } from './client.ts'
import {
  everyCase,
  expectBadParam,
  expectJson,
  expectPage,
  expectRefusal,
  timestamp,
} from './expect.ts'
import { base64, html, pdf, png, word } from './material.ts'

function expectVersion(version: Version): void {
  expect(Object.keys(version).sort()).toEqual([
    'created_at',
    'label',
    'size_bytes',
    'source',
    'version_no',
  ])
  expect(Number.isInteger(version.version_no)).toBe(true)
  expect(['publish', 'edit', 'restore']).toContain(version.source)
  expect(version.label === null || typeof version.label === 'string').toBe(true)
  expect(version.size_bytes).toBeGreaterThan(0)
  expect(version.created_at).toMatch(timestamp)
}

test('GET versions answers version records, newest first, without content', async () => {
  const words = word('content')
  const page = await pro.publish({ html: html('one') })
  await pro.update(page.id, { html: html(words) })
  await pro.update(page.id, { html: html('three') })
  const answer = await pro.call('GET', `/pages/${page.id}/versions`)
  expectJson(answer, 200)
  expect(answer.text).not.toContain(words)
  const versions = dataOf<Version[]>(answer)
  for (const version of versions) expectVersion(version)
  expect(versions.map(({ version_no: versionNo }) => versionNo)).toEqual([3, 2, 1])
  expect(versions.map(({ source }) => source)).toEqual(['edit', 'edit', 'publish'])
  const times = versions.map(({ created_at: createdAt }) => createdAt)
  expect([...times].sort().reverse()).toEqual(times)
})

test('size_bytes of a version is that of its HTML', async () => {
  const source = html('Grüße 🎈')
  const page = await pro.publish({ html: source })
  const [version] = await pro.versions(page.id)
  expect(version!.size_bytes).toBe(Buffer.byteLength(source))
})

test('creating a draft saves an edit version', async () => {
  const page = await pro.publish({ html: html('one'), publish: false })
  expect(await pro.versions(page.id)).toMatchObject([
    { version_no: 1, source: 'edit', label: null },
  ])
})

test('versions are deduplicated by content: equal to the newest is not saved again', async () => {
  const page = await pro.publish({ html: html('one') })
  await pro.update(page.id, { html: html('one') })
  expect(await pro.versions(page.id)).toHaveLength(1)
  await pro.update(page.id, { html: html('two') })
  await pro.update(page.id, { html: html('two') })
  expect(await pro.versions(page.id)).toHaveLength(2)
  await pro.update(page.id, { html: html('one') })
  expect(await pro.versions(page.id), 'an older content is new again').toHaveLength(3)
})

test('GET of a version of a single page answers its metadata and html', async () => {
  const page = await pro.publish({ html: html('one') })
  await pro.update(page.id, { html: html('two') })
  const answer = await pro.call('GET', `/pages/${page.id}/versions/1`)
  expectJson(answer, 200)
  const version = dataOf<FullVersion>(answer)
  const { html: content, ...record } = version
  expect(content).toBe(html('one'))
  expect(version).not.toHaveProperty('files')
  expect(record).toMatchObject((await pro.versions(page.id)).at(-1)!)
  expect(answer.text).not.toContain('two')
})

test('GET of a version of a deck answers its metadata, files and entry', async () => {
  const files = [
    { path: 'index.html', html: html('cover') },
    { path: 'start.html', html: html('start') },
  ]
  const page = await pro.publish({ files, entry: 'start.html' })
  await pro.update(page.id, { files: [files[0]!], entry: 'index.html' })
  const first = await pro.version(page.id, 1)
  expect(first.entry).toBe('start.html')
  expect(first.files).toHaveLength(2)
  expect(first.files).toEqual(expect.arrayContaining(files))
  expect(first).not.toHaveProperty('html')
  const second = await pro.version(page.id, 2)
  expect(second.entry).toBe('index.html')
  expect(second.files).toEqual([files[0]!])
})

test('a version has its whole content, nothing elided', async () => {
  const source = html(`<img src="data:image/png;base64,${'A'.repeat(5000)}">`)
  const page = await pro.publish({ html: source })
  expect((await pro.version(page.id, 1)).html).toBe(source)
})

test('restore puts a version into the draft and appends a restore version', async () => {
  const page = await pro.publish({ html: html('one') })
  await pro.update(page.id, { html: html('two') })
  await pro.goLive(page.id)
  const answer = await pro.call('POST', `/pages/${page.id}/versions/1/restore`, {})
  expectJson(answer, 200)
  const restored = dataOf<Page>(answer)
  expectPage(restored)
  expect(restored).toEqual(await pro.page(page.id))
  expect(restored).toMatchObject({ is_published: true, has_unpublished_changes: true })
  expect(await pro.draft(page.id)).toBe(html('one'))
  expect((await visitor.open(page.slug)).text, 'live is untouched').toBe(html('two'))
  const versions = await pro.versions(page.id)
  expect(versions.map(({ source }) => source)).toEqual(['restore', 'publish', 'publish'])
  expect(versions[0]!.version_no).toBe(3)
  expect((await pro.version(page.id, 3)).html).toBe(html('one'))
})

test('restore with publish true is also published', async () => {
  const page = await pro.publish({ html: html('one') })
  await pro.update(page.id, { html: html('two') })
  await pro.goLive(page.id)
  const restored = await pro.restore(page.id, 1, { publish: true })
  expect(restored).toMatchObject({ is_published: true, has_unpublished_changes: false })
  expect((await visitor.open(page.slug)).text).toBe(html('one'))
  expect((await pro.versions(page.id)).map(({ version_no: versionNo }) => versionNo)).toEqual([
    3, 2, 1,
  ])
})

test('restore with publish true publishes an unpublished page', async () => {
  const page = await pro.publish({ html: html('one') })
  await pro.unpublish(page.id)
  await pro.restore(page.id, 1, { publish: false })
  expect((await visitor.open(page.slug)).status).toBe(404)
  const restored = await pro.restore(page.id, 1, { publish: true })
  expect(restored.is_published).toBe(true)
  expect((await visitor.open(page.slug)).text).toBe(html('one'))
})

test('restore always appends a version, even with unchanged content', async () => {
  const page = await pro.publish({ html: html('one') })
  await pro.restore(page.id, 1)
  const versions = await pro.versions(page.id)
  expect(versions.map(({ source }) => source)).toEqual(['restore', 'publish'])
})

test('restore restores content, not settings', async () => {
  const page = await pro.publish({ html: html('one', 'Old title') })
  const title = word('New title')
  await pro.update(page.id, { html: html('two'), title, indexed: true })
  const restored = await pro.restore(page.id, 1)
  expect(restored).toMatchObject({ title, indexed: true })
})

test('restore restores a deck with its assets and entry, and a file', async () => {
  const files = [
    { path: 'index.html', html: html('cover') },
    { path: 'b.html', html: html('second') },
  ]
  const assets = [{ path: 'a.css', data_base64: base64('p{color:red}') }]
  const deck = await pro.publish({ files, assets, entry: 'b.html' })
  await pro.update(deck.id, { files: [files[0]!], assets: [], entry: 'index.html' })
  await pro.goLive(deck.id)
  expect((await send(`/p/${deck.slug}/a.css`)).status).toBe(404)
  const restored = await pro.restore(deck.id, 1, { publish: true })
  expect(restored).toMatchObject({ entry_path: 'b.html', file_count: 2 })
  expect((await send(`/p/${deck.slug}/a.css`)).text).toBe('p{color:red}')
  expect((await visitor.follow(deck.slug)).text).toContain('second')

  const filename = `${word('f')}.pdf`
  const page = await pro.publish({ file_base64: base64(pdf('first')), filename })
  await pro.update(page.id, { file_base64: base64(png()), filename: `${word('f')}.png` })
  await pro.goLive(page.id)
  await pro.restore(page.id, 1, { publish: true })
  const opened = await visitor.open(page.slug)
  expect(opened.headers.get('content-type')).toBe('application/pdf')
  expect(opened.text).toContain('(first)')
})

test('restore accepts only publish, a boolean', async () => {
  const page = await pro.publish({ html: html('one') })
  const path = `/pages/${page.id}/versions/1/restore`
  expectBadParam(await pro.call('POST', path, { publish: 'yes' }), 'publish')
  expectBadParam(await pro.call('POST', path, { live: true }), 'live')
  expect(await pro.versions(page.id)).toHaveLength(1)
})

test('a version may be named, and null clears the name', async () => {
  const page = await pro.publish({ html: html('one') })
  const named = await pro.label(page.id, 1, { label: 'Final, for Ann' })
  expectJson(named, 200)
  expect(Object.keys(named.json as object)).toEqual(['data'])
  expect((await pro.versions(page.id))[0]!.label).toBe('Final, for Ann')
  expect((await pro.version(page.id, 1)).label).toBe('Final, for Ann')
  expectJson(await pro.label(page.id, 1, { label: null }), 200)
  expect((await pro.versions(page.id))[0]!.label).toBeNull()
  await everyCase(
    [
      ['number', { label: 5 }],
      ['missing', {}],
    ],
    async (body) => expectBadParam(await pro.label(page.id, 1, body), 'label'),
  )
  expectBadParam(await pro.label(page.id, 1, { label: 'x', name: 'y' }), 'name')
})

test('naming a version changes neither content nor publication', async () => {
  const page = await pro.publish({ html: html('one') })
  await pro.label(page.id, 1, { label: 'Named' })
  const after = await pro.page(page.id)
  expect(after).toMatchObject({ is_published: true, has_unpublished_changes: false })
  expect(await pro.versions(page.id)).toHaveLength(1)
})

test('an unknown version is 404', async () => {
  const page = await pro.publish({ html: html('one') })
  const path = `/pages/${page.id}/versions`
  for (const no of ['2', '999999']) {
    expectRefusal(await pro.call('GET', `${path}/${no}`), 404)
    expectRefusal(await pro.call('POST', `${path}/${no}/restore`, {}), 404)
    expectRefusal(await pro.call('PATCH', `${path}/${no}`, { label: 'x' }), 404)
  }
  for (const no of ['0', '-1', 'x', '1.5', '99999999999999999999']) {
    const answer = await pro.call('GET', `${path}/${no}`)
    expect([400, 404], no).toContain(answer.status)
    expectRefusal(answer, answer.status)
  }
  expectRefusal(await pro.call('GET', '/pages/pg_nothing/versions'), 404)
  expectRefusal(await pro.call('GET', '/pages/pg_nothing/versions/1'), 404)
})

test('a version of another page cannot be reached through this one', async () => {
  const a = await pro.publish({ html: html('a') })
  const b = await pro.publish({ html: html('b') })
  await pro.update(b.id, { html: html('b two') })
  expectRefusal(await pro.call('GET', `/pages/${a.id}/versions/2`), 404)
  expect((await pro.version(a.id, 1)).html).toBe(html('a'))
})

test('the newest 50 unnamed versions are kept, and named ones and the live one always', async () => {
  const page = await pro.publish({ html: html('content 1') })
  for (let no = 2; no <= 60; no += 1) {
    await pro.update(page.id, { html: html(`content ${no}`) })
    if (no === 3) await pro.label(page.id, no, { label: 'Kept by name' })
  }
  const listed = (await pro.versions(page.id)).map(({ version_no: versionNo }) => versionNo)
  const newest = Array.from({ length: 50 }, (_, i) => 60 - i)
  expect(listed).toEqual([...newest, 3, 1])
  expect((await pro.version(page.id, 3)).html).toBe(html('content 3'))
  expect((await pro.version(page.id, 1)).html, 'the live one').toBe(html('content 1'))
  expect((await visitor.open(page.slug)).text).toBe(html('content 1'))
  expectRefusal(await pro.call('GET', `/pages/${page.id}/versions/2`), 404)
  expectRefusal(await pro.call('GET', `/pages/${page.id}/versions/10`), 404)
  await pro.goLive(page.id)
  await pro.update(page.id, { html: html('content 61') })
  const later = (await pro.versions(page.id)).map(({ version_no: versionNo }) => versionNo)
  expect(later, 'no longer live, no longer kept').not.toContain(1)
  expect(later).toContain(3)
}, 240_000)
