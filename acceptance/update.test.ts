import { expect, test } from 'bun:test'
import { dataOf, type Page, pro, send, visitor } from './client.ts'
import {
  everyCase,
  expectBadContent,
  expectBadParam,
  expectJson,
  expectPage,
  expectRefusal,
} from './expect.ts'
import { person } from './gates/person.ts'
import { base64, html, pdf, png, sha256, word } from './material.ts'
import { origin, unreachable } from './origin.ts'
import { server } from './server.ts'

test('PATCH with html changes the draft only, and saves an edit version', async () => {
  const draftWords = word('draft-words')
  const page = await pro.publish({ html: html('live words') })
  const answer = await pro.patch(page.id, { html: html(draftWords) })
  expectJson(answer, 200)
  expect(answer.json).toMatchObject({ previous_version: 1, warnings: [] })
  const updated = dataOf<Page>(answer)
  expectPage(updated)
  expect(updated).toMatchObject({ is_published: true, has_unpublished_changes: true })
  expect(updated.published_at).toBe(page.published_at)
  expect(updated.created_at).toBe(page.created_at)
  expect(updated.updated_at > page.updated_at).toBe(true)
  const opened = await visitor.open(page.slug)
  expect(opened.text).toBe(html('live words'))
  expect(opened.text).not.toContain(draftWords)
  expect(await pro.draft(page.id)).toBe(html(draftWords))
  const [newest] = await pro.versions(page.id)
  expect(newest).toMatchObject({ version_no: 2, source: 'edit' })
})

test('PATCH with html_base64 or html_url changes the draft only', async () => {
  const page = await pro.publish({ html: html('live') })
  const sources: [string, Record<string, unknown>][] = [
    ['Grüße, base', { html_base64: base64(html('Grüße, base')) }],
  ]
  if (server.own) {
    const htmlUrl = origin.put('x.html', { body: html('Grüße, URL') })
    sources.push(['Grüße, URL', { html_url: htmlUrl }])
  }
  for (const [words, fields] of sources) {
    const updated = await pro.update(page.id, fields)
    expect(updated.has_unpublished_changes).toBe(true)
    expect(await pro.draft(page.id)).toBe(html(words))
    expect((await visitor.open(page.slug)).text).toBe(html('live'))
  }
})

test('a draft that equals the published content again has no unpublished changes', async () => {
  const page = await pro.publish({ html: html('live') })
  expect((await pro.update(page.id, { html: html('other') })).has_unpublished_changes).toBe(true)
  expect((await pro.update(page.id, { html: html('live') })).has_unpublished_changes).toBe(false)
})

test('PATCH with a sha256 that does not match is 422, and nothing is written', async () => {
  const page = await pro.publish({ html: html('live') })
  const source = html('new')
  await everyCase(
    [
      ['html', { html: source }],
      ['html_base64', { html_base64: base64(source) }],
    ],
    async (fields) => {
      const all = { ...(fields as object), sha256: sha256('other'), indexed: true }
      expectRefusal(await pro.patch(page.id, all), 422)
    },
  )
  expect(await pro.page(page.id)).toEqual(page)
  expect(await pro.versions(page.id)).toHaveLength(1)
  await pro.update(page.id, { html: source, sha256: sha256(source) })
  expect(await pro.draft(page.id)).toBe(source)
})

test('PATCH with bad html_base64 is 400, and nothing is written', async () => {
  const page = await pro.publish({ html: html('live') })
  await everyCase(
    [
      ['empty', ''],
      ['not UTF-8', base64(new Uint8Array([0x3c, 0xff]))],
      ['not base64', '<p>x</p>'],
    ],
    async (htmlBase64) =>
      expectBadParam(
        await pro.patch(page.id, { html_base64: htmlBase64, indexed: true }),
        'html_base64',
      ),
  )
  expectBadContent(await pro.patch(page.id, { html: '' }), 'html')
  expect(await pro.page(page.id)).toEqual(page)
})

test('PATCH with a blocked or failing html_url is 400, and nothing is written', async () => {
  const page = await pro.publish({ html: html('live') })
  for (const htmlUrl of ['https://127.0.0.1:1/x', `https://${unreachable.host}/x`]) {
    expectRefusal(await pro.patch(page.id, { html_url: htmlUrl, indexed: true }), 400)
  }
  expect(await pro.page(page.id)).toEqual(page)
})

test('PATCH with two content sources is 400, and nothing is written', async () => {
  const page = await pro.publish({ html: html('live') })
  const fields = { html: html('a'), html_base64: base64(html('b')) }
  expectRefusal(await pro.patch(page.id, fields), 400)
  expect(await pro.draft(page.id)).toBe(html('live'))
})

test('PATCH refuses unknown fields with 400 naming them, and nothing is written', async () => {
  const page = await pro.publish({ html: html('live') })
  await everyCase(
    [
      ['titel', 'x'],
      ['publish', true],
      ['Views', 0],
      ['entryPath', 'index.html'],
      ['created', '2030-01-01T00:00:00Z'],
    ],
    async (value, name) => {
      const answer = await pro.patch(page.id, { [name]: value, html: html('changed') })
      expect(expectBadParam(answer, name).message).toContain(name)
    },
  )
  expect(await pro.page(page.id)).toEqual(page)
  expect(await pro.draft(page.id)).toBe(html('live'))
})

const deck = {
  files: [
    { path: 'index.html', html: html('the cover') },
    { path: 'old.html', html: html('the old file') },
  ],
  assets: [
    { path: 'a.css', data_base64: base64('p{color:red}') },
    { path: 'b.css', data_base64: base64('p{color:blue}') },
  ],
}

test('PATCH of files is the full new set: files not included are removed', async () => {
  const page = await pro.publish(deck)
  const updated = await pro.update(page.id, {
    files: [
      { path: 'index.html', html: html('the new cover') },
      { path: 'new.html', html: html('the new file') },
    ],
  })
  expectPage(updated)
  expect(updated).toMatchObject({ has_unpublished_changes: true, file_count: 2 })
  const paths = (await pro.html(page.id)).files.map(({ path }) => path)
  expect(paths.sort()).toEqual(['index.html', 'new.html'])
  expect((await visitor.open(`${page.slug}/old.html`)).text, 'not live yet').toContain('old file')
  expect((await visitor.open(`${page.slug}/new.html`)).status).toBe(404)
  await pro.goLive(page.id)
  expect((await visitor.open(`${page.slug}/old.html`)).status).toBe(404)
  expect((await visitor.open(`${page.slug}/new.html`)).text).toContain('the new file')
  expect((await visitor.follow(page.slug)).text).toContain('the new cover')
})

test('PATCH of files alone keeps the assets', async () => {
  const page = await pro.publish(deck)
  await pro.update(page.id, { files: [{ path: 'index.html', html: html('anew') }] })
  await pro.goLive(page.id)
  expect((await send(`/p/${page.slug}/a.css`)).text).toBe('p{color:red}')
  expect((await send(`/p/${page.slug}/b.css`)).text).toBe('p{color:blue}')
})

test('PATCH of assets with files sets the full new set of assets', async () => {
  const page = await pro.publish(deck)
  await pro.update(page.id, {
    files: deck.files,
    assets: [{ path: 'c.css', data_base64: base64('p{color:green}') }],
  })
  expect((await send(`/p/${page.slug}/c.css`)).status, 'not live yet').toBe(404)
  await pro.goLive(page.id)
  expect((await send(`/p/${page.slug}/c.css`)).text).toBe('p{color:green}')
  expect((await send(`/p/${page.slug}/a.css`)).status).toBe(404)
  expect((await send(`/p/${page.slug}/b.css`)).status).toBe(404)
})

test('PATCH of entry alone re-points the landing page to an existing path', async () => {
  const page = await pro.publish(deck)
  const updated = await pro.update(page.id, { entry: 'old.html' })
  expect(updated.entry_path).toBe('old.html')
  expect((await pro.html(page.id)).entry).toBe('old.html')
  expect((await pro.html(page.id)).files).toHaveLength(2)
  await pro.goLive(page.id)
  expect((await visitor.follow(page.slug)).text).toContain('the old file')
  expectBadParam(await pro.patch(page.id, { entry: 'nowhere.html' }), 'entry')
  expectBadParam(await pro.patch(page.id, { entry: 'a.css' }), 'entry')
  expect((await pro.page(page.id)).entry_path).toBe('old.html')
})

test('PATCH of files that lack the entry never leaves a deck without one', async () => {
  const page = await pro.publish({ ...deck, entry: 'old.html' })
  const answer = await pro.patch(page.id, { files: [{ path: 'index.html', html: html('only') }] })
  if (answer.status === 200) {
    expect(dataOf<Page>(answer).entry_path).toBe('index.html')
    await pro.goLive(page.id)
    expect((await visitor.follow(page.slug)).text).toContain('only')
  } else {
    expectRefusal(answer, 400)
    expect((await visitor.follow(page.slug)).text).toContain('the old file')
  }
})

test('PATCH of files keeps the landing page that was named, while it is there', async () => {
  const files = [...deck.files, { path: 'new.html', html: html('new') }]
  const page = await pro.publish({ ...deck, entry: 'old.html' })
  expect((await pro.update(page.id, { files })).entry_path).toBe('old.html')
  expect((await pro.update(page.id, { files, entry: 'new.html' })).entry_path).toBe('new.html')
  expect((await pro.update(page.id, deck)).entry_path).toBe('index.html')
  const [first, ...others] = files.filter(({ path }) => path !== 'index.html')
  const another = await pro.publish({ files: [first, ...others] })
  expect(another.entry_path).toBe(first!.path)
  const withIndex = await pro.update(another.id, { files })
  expect(withIndex.entry_path, 'nobody had named one').toBe('index.html')
})

test('a bad deck in PATCH is 400, and nothing is written', async () => {
  const page = await pro.publish(deck)
  await everyCase(
    [
      ['no files', { files: [] }],
      ['bad path', { files: [{ path: '../x.html', html: html('x') }] }],
      ['entry not there', { files: [{ path: 'a.html', html: html('x') }], entry: 'b.html' }],
    ],
    async (fields) => expectRefusal(await pro.patch(page.id, fields), 400),
  )
  expect(await pro.page(page.id)).toEqual(page)
})

test('html on a deck, files on a single page and html on a PDF are 400 wrong_kind', async () => {
  const single = await pro.publish({ html: html('single') })
  const bundle = await pro.publish(deck)
  const filename = `${word('f')}.pdf`
  const file = await pro.publish({ file_base64: base64(pdf()), filename })
  const files = [{ path: 'index.html', html: html('x') }]
  await everyCase(
    [
      ['html on a deck', [bundle, { html: html('x') }]],
      ['html_base64 on a deck', [bundle, { html_base64: base64(html('x')) }]],
      ['files on a single page', [single, { files }]],
      ['html on a PDF', [file, { html: html('x') }]],
      ['files on a PDF', [file, { files }]],
      ['a file on a single page', [single, { file_base64: base64(pdf()), filename }]],
      ['a file on a deck', [bundle, { file_base64: base64(pdf()), filename }]],
    ] as const,
    async ([page, fields]) => {
      expectRefusal(await pro.patch(page.id, fields), 400, 'wrong_kind')
      expect(await pro.page(page.id)).toEqual(page)
    },
  )
})

test('becomes_deck makes a page a deck at its link; html, nothing and a false one do not', async () => {
  const single = await pro.publish({ html: html('single') })
  const file = await pro.publish({ file_base64: base64(pdf()), filename: `${word('f')}.pdf` })
  const files = [{ path: 'a.html', html: html('deck') }]
  for (const page of [single, file]) {
    const { id } = page
    await everyCase(
      [
        ['html', [{ html: html('x'), becomes_deck: true }, 'wrong_kind']],
        ['nothing', [{ becomes_deck: true }, 'content_source']],
        ['entry', [{ entry: 'a.html', becomes_deck: true }, 'wrong_kind']],
        ['false', [{ files, becomes_deck: false }, 'wrong_kind']],
      ] as const,
      async ([fields, code]) => expectRefusal(await pro.patch(id, fields), 400, code),
    )
    expect(await pro.page(id)).toEqual(page)
    await pro.update(id, { files, assets: [], becomes_deck: true })
    await pro.goLive(id)
    const deck = await pro.page(id)
    expect([deck.kind, deck.url, deck.file]).toEqual(['bundle', page.url, null])
    expect((await visitor.open(`${deck.slug}/a.html`)).text).toBe(html('deck'))
    await pro.restore(id, 1)
    expect((await pro.page(id)).kind).toBe('single')
  }
})

test('PATCH with a new file of a PDF or image changes the draft', async () => {
  const filename = `${word('f')}.pdf`
  const page = await pro.publish({ file_base64: base64(pdf('one')), filename })
  const second = pdf('two, longer')
  const updated = await pro.update(page.id, { file_base64: base64(second), filename })
  expect(updated.has_unpublished_changes).toBe(true)
  expect((await visitor.open(page.slug)).text).toContain('(one)')
  await pro.goLive(page.id)
  const opened = await visitor.open(page.slug)
  expect(Buffer.from(opened.bytes).equals(Buffer.from(second))).toBe(true)
  expect((await pro.page(page.id)).file?.size_bytes).toBe(second.length)
  if (!server.own) return
  const fileUrl = origin.put('picture.png', { body: png(), type: 'image/png' })
  await pro.update(page.id, { file_url: fileUrl })
  await pro.goLive(page.id)
  expect((await visitor.open(page.slug)).headers.get('content-type')).toBe('image/png')
})

test('settings take effect at once, without a publish', async () => {
  const page = await pro.publish({ html: html('words') })
  await pro.update(page.id, { html: html('draft words'), og_title: 'Preview me' })
  const opened = await visitor.open(page.slug)
  expect(opened.text).toContain('Preview me')
  expect(opened.text).not.toContain('draft words')
  expect((await pro.page(page.id)).has_unpublished_changes).toBe(true)
})

test('PATCH of settings alone saves no version and leaves the publication as it is', async () => {
  const page = await pro.publish({ html: html('words') })
  const updated = await pro.update(page.id, { title: word('New'), access: 'private' })
  expect(updated).toMatchObject({ is_published: true, has_unpublished_changes: false })
  expect(await pro.versions(page.id)).toHaveLength(1)
})

test('PATCH of an unknown page is 404', async () => {
  expectRefusal(await pro.patch('pg_nothing', { title: 'x' }), 404)
})

test('one invalid parameter means that none is written', async () => {
  const page = await pro.publish({ html: html('words') })
  expectRefusal(
    await pro.patch(page.id, { title: word('No'), html: html('no'), max_views: 0 }),
    400,
  )
  expect(await pro.page(page.id)).toEqual(page)
  expect(await pro.draft(page.id)).toBe(html('words'))
  expect(await pro.versions(page.id)).toHaveLength(1)
})

test('members of a page that PATCH does not take are refused, each with what to do instead', async () => {
  const page = await pro.publish({ html: html('live') })
  const sent: [object, string, string][] = [
    [{ people: [{ email: 'a@example.com', role: 'view' }] }, 'people', 'use allowed_emails'],
    [{ is_published: false }, 'is_published', 'POST /pages/{id}/publish'],
    [{ publish: true }, 'publish', 'POST /pages/{id}/publish'],
    [{ url: 'https://example.com/p/x' }, 'url', 'slug changes it'],
    [{ entry_path: 'b.html' }, 'entry_path', 'use entry'],
    [{ views: 0 }, 'views', 'only the server sets it'],
    [{ accent: 'red', id: page.id }, 'id', 'only the server sets it'],
  ]
  for (const [change, param, cure] of sent) {
    const error = expectRefusal(await pro.patch(page.id, change), 400, 'unknown_parameter')
    expect([error.param, error.message.includes(cure)]).toEqual([param, true])
  }
  expect(await pro.page(page.id)).toEqual(page)
})

test('a page that was read and is sent back is refused once, naming all that PATCH does not take', async () => {
  const page = await pro.publish({ html: html('x'), access: 'password', max_views: 9 })
  const { code, message } = expectRefusal(await pro.patch(page.id, page), 400)
  expect(code).toBe('unknown_parameter')
  for (const name of ['id', 'url', 'people', 'is_published', 'views', 'created_at', 'state']) {
    expect(message).toMatch(new RegExp(`\\b${name}\\b`))
  }
  for (const name of ['title', 'access', 'password', 'max_views']) {
    expect(message).not.toMatch(new RegExp(`\\b${name}\\b`))
  }
})

test('sending the same password again locks nobody out', async () => {
  const page = await pro.publish({ html: html('x'), access: 'password', password: 'open sesame' })
  const who = person()
  const open = async () =>
    who.submit(await who.open(`/p/${page.slug}`), { password: 'open sesame' })
  await open()
  expect((await who.open(`/p/${page.slug}`)).status).toBe(200)
  await pro.update(page.id, { password: 'open sesame' })
  expect((await who.open(`/p/${page.slug}`)).status).toBe(200)
  await pro.update(page.id, { password: 'another one' })
  expect((await who.open(`/p/${page.slug}`)).status).toBe(403)
})
