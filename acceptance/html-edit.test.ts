import { expect, test } from 'bun:test'
import { type Edit, type Edited, free, type Page, pro, visitor } from './client.ts'
import { everyCase, expectBadParam, expectJson, expectPage, expectRefusal } from './expect.ts'
import { base64, html, htmlOfSize, pdf, word } from './material.ts'

/** Expects a refusal of `attempt`, and an unchanged page. */
async function leavesUntouched(page: Page, attempt: () => Promise<unknown>): Promise<void> {
  const before = await pro.call('GET', `/pages/${page.id}/html?full=true`)
  const versions = await pro.versions(page.id)
  const object = await pro.page(page.id)
  await attempt()
  expect((await pro.call('GET', `/pages/${page.id}/html?full=true`)).text).toBe(before.text)
  expect(await pro.versions(page.id)).toEqual(versions)
  expect(await pro.page(page.id)).toEqual(object)
}

test('an edit answers the page object and a summary of what changed', async () => {
  const page = await pro.publish({ html: html('one two three') })
  const answer = await pro.patchHtml(page.id, { edits: [{ find: 'two', replace: 'zwei' }] })
  expectJson(answer, 200)
  const body = answer.json as Edited
  expect(Object.keys(body).sort()).toEqual(['data', 'edits', 'warnings'])
  expectPage(body.data)
  expect(body.data).toEqual(await pro.page(page.id))
  expect(body.data.has_unpublished_changes).toBe(true)
  expect(Object.keys(body.edits).sort()).toEqual(['changes', 'previous_version', 'version'])
  expect(body.edits.changes).toHaveLength(1)
  const [change] = body.edits.changes
  expect(change).toMatchObject({ before: 'two', after: 'zwei', count: 1 })
  expect(change!.before_truncated ?? false).toBe(false)
  expect(change!.after_truncated ?? false).toBe(false)
  expect(await pro.draft(page.id)).toBe(html('one zwei three'))
})

test('edits without the publish flag stay a draft', async () => {
  const page = await pro.publish({ html: html('shown') })
  await pro.edit(page.id, [{ find: 'shown', replace: 'not yet' }])
  await pro.edit(page.id, [{ find: 'not yet', replace: 'later' }], { publish: false })
  expect((await visitor.open(page.slug)).text).toBe(html('shown'))
  expect(await pro.page(page.id)).toMatchObject({
    is_published: true,
    has_unpublished_changes: true,
  })
})

test('edits with the publish flag are published in the same call', async () => {
  const page = await pro.publish({ html: html('shown') })
  const { data } = await pro.edit(page.id, [{ find: 'shown', replace: 'new' }], { publish: true })
  expect(data).toMatchObject({ is_published: true, has_unpublished_changes: false })
  expect(data.published_at! > page.published_at!).toBe(true)
  expect((await visitor.open(page.slug)).text).toBe(html('new'))
})

test('an edit with the publish flag publishes a page that was a draft only', async () => {
  const page = await pro.publish({ html: html('draft'), publish: false })
  const quiet = await pro.edit(page.id, [{ find: 'draft', replace: 'draft two' }])
  expect(quiet.data.is_published).toBe(false)
  expect((await visitor.open(page.slug)).status).toBe(404)
  const loud = await pro.edit(page.id, [{ find: 'draft two', replace: 'live' }], { publish: true })
  expect(loud.data).toMatchObject({ is_published: true, has_unpublished_changes: false })
  expect((await visitor.open(page.slug)).text).toBe(html('live'))
})

test('edits apply in sequence, each to the previous result', async () => {
  const page = await pro.publish({ html: html('alpha') })
  const { edits } = await pro.edit(page.id, [
    { find: 'alpha', replace: 'beta beta' },
    { find: 'beta', replace: 'gamma', replace_all: true },
    { find: 'gamma gamma', replace: 'delta' },
  ])
  expect(await pro.draft(page.id)).toBe(html('delta'))
  expect(edits.changes.map(({ before, after, count }) => [before, after, count])).toEqual([
    ['alpha', 'beta beta', 1],
    ['beta', 'gamma', 2],
    ['gamma gamma', 'delta', 1],
  ])
})

test('find is plain text and replace is taken literally', async () => {
  const page = await pro.publish({ html: html('cost: $5.00 (a.c) [x]* abc') })
  await pro.edit(page.id, [
    { find: '(a.c)', replace: '$& $1 $` \\0' },
    { find: '[x]*', replace: '' },
    { find: '$5.00', replace: '$$' },
  ])
  expect(await pro.draft(page.id)).toBe(html('cost: $$ $& $1 $` \\0  abc'))
})

test('bytes outside of the matches stay unchanged', async () => {
  const around = ['<!DOCTYPE html>\r\n<P>\t 🎈\u00a0é e\u0301 <!-- ', ' -->\n\n</p >\u2028<br/>\r']
  const page = await pro.publish({ html: around.join('HERE') })
  await pro.edit(page.id, [{ find: 'HERE', replace: '🎉' }], { publish: true })
  expect(await pro.draft(page.id)).toBe(around.join('🎉'))
  expect((await visitor.open(page.slug)).text).toBe(around.join('🎉'))
})

test('replace may be an empty string, which deletes', async () => {
  const page = await pro.publish({ html: html('keep drop') })
  const { edits } = await pro.edit(page.id, [{ find: ' drop', replace: '' }])
  expect(await pro.draft(page.id)).toBe(html('keep'))
  expect(edits.changes[0]).toMatchObject({ before: ' drop', after: '' })
})

test('find, replace and replace_all must be of their types, and find not empty', async () => {
  const page = await pro.publish({ html: html('x') })
  await leavesUntouched(page, () =>
    everyCase(
      [
        ['no edits', {}],
        ['edits not a list', { edits: { find: 'x', replace: 'y' } }],
        ['an edit not an object', { edits: ['x'] }],
        ['find missing', { edits: [{ replace: 'y' }] }],
        ['find empty', { edits: [{ find: '', replace: 'y' }] }],
        ['find a number', { edits: [{ find: 5, replace: 'y' }] }],
        ['replace missing', { edits: [{ find: 'x' }] }],
        ['replace null', { edits: [{ find: 'x', replace: null }] }],
        ['replace_all a string', { edits: [{ find: 'x', replace: 'y', replace_all: 'yes' }] }],
        ['an unknown member', { edits: [{ find: 'x', replace: 'y', regex: true }] }],
      ],
      async (body) => expectBadParam(await pro.patchHtml(page.id, body), 'edits'),
    ),
  )
  const edits = [{ find: 'x', replace: 'y' }]
  expectBadParam(await pro.patchHtml(page.id, { edits, publish: 'yes' }), 'publish')
  expectBadParam(await pro.patchHtml(page.id, { edits, publsh: true }), 'publsh')
})

test('a find that matches zero times is 422 naming the edit, and nothing is written', async () => {
  const page = await pro.publish({ html: html('one two') })
  await leavesUntouched(page, async () => {
    const edits = [
      { find: 'one', replace: 'eins' },
      { find: 'two', replace: 'zwei' },
      { find: 'three', replace: 'drei' },
    ]
    const error = expectRefusal(await pro.patchHtml(page.id, { edits, publish: true }), 422)
    expect(error.edit_index).toBe(2)
    const all = [{ find: 'three', replace: 'drei', replace_all: true }]
    expect(expectRefusal(await pro.patchHtml(page.id, { edits: all }), 422).edit_index).toBe(0)
  })
  expect((await visitor.open(page.slug)).text).toBe(html('one two'))
})

test('a find that matches more than once without replace_all is 422 naming the edit', async () => {
  const page = await pro.publish({ html: html('again again') })
  await leavesUntouched(page, async () => {
    const edits = [
      { find: '<body>', replace: '<body class="a">' },
      { find: 'again', replace: 'once' },
    ]
    const error = expectRefusal(await pro.patchHtml(page.id, { edits }), 422)
    expect(error.edit_index).toBe(1)
    const off = [{ find: 'again', replace: 'once', replace_all: false }]
    expectRefusal(await pro.patchHtml(page.id, { edits: off }), 422)
  })
})

test('a find must match in the previous result, not in the page as it was', async () => {
  const page = await pro.publish({ html: html('one') })
  await leavesUntouched(page, async () => {
    const edits = [
      { find: 'one', replace: 'two' },
      { find: 'one', replace: 'three' },
    ]
    expect(expectRefusal(await pro.patchHtml(page.id, { edits }), 422).edit_index).toBe(1)
  })
})

test('replace_all replaces up to 1,000 places, and one more is 422', async () => {
  const page = await pro.publish({ html: html('x;'.repeat(1000)) })
  const edits = [{ find: 'x;', replace: 'yy;', replace_all: true }]
  const done = await pro.edit(page.id, edits)
  expect(done.edits.changes).toHaveLength(1)
  expect(done.edits.changes[0]!.count).toBe(1000)
  expect(await pro.draft(page.id)).toBe(html('yy;'.repeat(1000)))
  const over = await pro.publish({ html: html('x;'.repeat(1001)) })
  await leavesUntouched(over, async () => {
    expect(expectRefusal(await pro.patchHtml(over.id, { edits }), 422).edit_index).toBe(0)
  })
})

test('edits that would leave the page empty are 422', async () => {
  const page = await pro.publish({ html: '<p>all of it</p>' })
  await leavesUntouched(page, async () => {
    const edits = [{ find: '<p>all of it</p>', replace: '' }]
    expectRefusal(await pro.patchHtml(page.id, { edits }), 422)
  })
  const back = [
    { find: '<p>all of it</p>', replace: 'x' },
    { find: 'x', replace: '<p>something</p>' },
  ]
  await pro.edit(page.id, back)
  expect(await pro.draft(page.id)).toBe('<p>something</p>')
})

test('a call accepts 200 edits, and 201 are 422 too_many_edits with max_edits', async () => {
  const words = Array.from({ length: 201 }, (_, i) => `w${i};`)
  const page = await pro.publish({ html: html(words.join(' ')) })
  const edits = words.map((find, i) => ({ find: ` ${find}`, replace: ` v${i}!` })).slice(1)
  const done = await pro.edit(page.id, edits)
  expect(done.edits.changes).toHaveLength(200)
  const over = await pro.publish({ html: html(words.join(' ')) })
  await leavesUntouched(over, async () => {
    const tooMany = [...edits, { find: 'w0;', replace: 'v0!' }]
    const error = expectRefusal(
      await pro.patchHtml(over.id, { edits: tooMany }),
      422,
      'too_many_edits',
    )
    expect(error.max_edits).toBe(200)
  })
})

test('a page of several MB accepts fewer edits, and the error says how many', async () => {
  const sizeBytes = 3 * 1024 * 1024
  const page = await pro.publish({ html: htmlOfSize(sizeBytes, 'w0') })
  const allowed = Math.floor((256 * 1024 * 1024) / sizeBytes)
  expect(allowed).toBe(85)
  const edits = (count: number): Edit[] =>
    Array.from({ length: count }, (_, i) => ({
      find: `<p>w${i % 2}<`,
      replace: `<p>w${(i + 1) % 2}<`,
    }))
  const answer = await pro.patchHtml(page.id, { edits: edits(allowed + 1) })
  expect(expectRefusal(answer, 422, 'too_many_edits').max_edits).toBe(allowed)
  expect(await pro.versions(page.id)).toHaveLength(1)
  const done = await pro.edit(page.id, edits(allowed))
  expect(done.edits.changes).toHaveLength(allowed)
}, 240_000)

test('each side of a change is truncated to 200 characters, and marked so', async () => {
  const at = `a${'b'.repeat(198)}c`
  const over = `d${'e'.repeat(199)}f`
  const page = await pro.publish({ html: html(`${at} ${over}`) })
  const { edits } = await pro.edit(page.id, [
    { find: at, replace: over.toUpperCase() },
    { find: over.slice(1), replace: at.toUpperCase() },
  ])
  const [first, second] = edits.changes
  expect(first!.before).toBe(at)
  expect(first!.before_truncated ?? false).toBe(false)
  expect(first!.after).toHaveLength(200)
  expect(over.toUpperCase().startsWith(first!.after)).toBe(true)
  expect(first!.after_truncated).toBe(true)
  expect(second!.before).toHaveLength(200)
  expect(second!.before_truncated ?? false).toBe(false)
  expect(second!.after).toBe(at.toUpperCase())
  expect(second!.after_truncated ?? false).toBe(false)
  const again = await pro.edit(page.id, [{ find: over.toUpperCase(), replace: 'short' }])
  expect(again.edits.changes[0]!.before).toHaveLength(200)
  expect(again.edits.changes[0]!.before_truncated).toBe(true)
})

test('previous_version is the checkpoint before the edit, and version the one after it', async () => {
  const page = await pro.publish({ html: html('before') })
  const { edits } = await pro.edit(page.id, [{ find: 'before', replace: 'after' }])
  expect(edits).toMatchObject({ previous_version: 1, version: 2 })
  expect((await pro.version(page.id, edits.previous_version)).html).toBe(html('before'))
  expect((await pro.version(page.id, edits.version)).html).toBe(html('after'))
  expect((await pro.versions(page.id)).map(({ source }) => source)).toEqual(['edit', 'publish'])
})

test('restoring previous_version is an exact undo', async () => {
  const source = `<!doctype html>\r\n<p>Grüße 🎈</p>\n<!-- ${word('exact')} -->`
  const page = await pro.publish({ html: source })
  const { edits } = await pro.edit(page.id, [{ find: 'Grüße 🎈', replace: 'Hello' }])
  const undone = await pro.restore(page.id, edits.previous_version)
  expect(undone.has_unpublished_changes, 'the draft is what is live again').toBe(false)
  expect(await pro.draft(page.id)).toBe(source)
})

test('a published edit is undone by restoring previous_version with publish true', async () => {
  const page = await pro.publish({ html: html('first') })
  const edit = [{ find: 'first', replace: 'second' }]
  const { edits } = await pro.edit(page.id, edit, { publish: true })
  expect((await visitor.open(page.slug)).text).toBe(html('second'))
  const undone = await pro.restore(page.id, edits.previous_version, { publish: true })
  expect(undone).toMatchObject({ is_published: true, has_unpublished_changes: false })
  expect(await pro.draft(page.id)).toBe(html('first'))
  expect((await visitor.open(page.slug)).text).toBe(html('first'))
})

test('the checkpoint before an edit is the draft, when the draft was never published', async () => {
  const page = await pro.publish({ html: html('one') })
  await pro.update(page.id, { html: html('two') })
  const { edits } = await pro.edit(page.id, [{ find: 'two', replace: 'three' }])
  expect((await pro.version(page.id, edits.previous_version)).html).toBe(html('two'))
  await pro.restore(page.id, edits.previous_version)
  expect(await pro.draft(page.id)).toBe(html('two'))
  expect((await visitor.open(page.slug)).text).toBe(html('one'))
})

test('an edit that changes nothing saves no version', async () => {
  const page = await pro.publish({ html: html('same') })
  const { data, edits } = await pro.edit(page.id, [{ find: 'same', replace: 'same' }])
  expect(data.has_unpublished_changes).toBe(false)
  expect(edits.version).toBe(edits.previous_version)
  expect(await pro.versions(page.id)).toHaveLength(1)
})

const deckFiles = [
  { path: 'index.html', html: html('word on the cover') },
  { path: 'team/index.html', html: html('word on the team') },
]

test('on a deck the file defaults to the entry page', async () => {
  const page = await pro.publish({ files: deckFiles })
  await pro.edit(page.id, [{ find: 'word', replace: 'WORD' }], { publish: true })
  expect((await visitor.follow(page.slug)).text).toContain('WORD on the cover')
  expect((await visitor.open(`${page.slug}/team/`)).text).toContain('word on the team')
})

test('on a deck the file selector names the file to edit, which is undone exactly', async () => {
  const page = await pro.publish({ files: deckFiles })
  const { edits } = await pro.edit(page.id, [{ find: 'word', replace: 'WORD' }], {
    file: 'team/index.html',
    publish: true,
  })
  expect((await visitor.follow(page.slug)).text).toContain('word on the cover')
  expect((await visitor.open(`${page.slug}/team/`)).text).toContain('WORD on the team')
  await pro.restore(page.id, edits.previous_version, { publish: true })
  expect((await pro.html(page.id)).files).toEqual(expect.arrayContaining(deckFiles))
  expect((await visitor.open(`${page.slug}/team/`)).text).toContain('word on the team')
})

test('a file selector takes the spelling of the path that the deck was created with', async () => {
  const path = './Gene\u0300ve.html'
  const page = await pro.publish({ files: [{ path, html: html('before') }] })
  await pro.edit(page.id, [{ find: 'before', replace: 'after' }], { file: path })
  const [file] = (await pro.html(page.id)).files!
  expect(file).toEqual({ path: 'Gen\u00e8ve.html', html: html('after') })
})

test('a file selector that names no HTML file of the deck is refused', async () => {
  const assets = [{ path: 'a.css', data_base64: base64('word') }]
  const page = await pro.publish({ files: deckFiles, assets })
  const edits = [{ find: 'word', replace: 'WORD' }]
  await leavesUntouched(page, () =>
    everyCase(
      [
        ['unknown', 'nowhere.html'],
        ['an asset', 'a.css'],
        ['a folder', 'team'],
        ['upwards', '../index.html'],
      ],
      async (file) => {
        const answer = await pro.patchHtml(page.id, { edits, file })
        expect([400, 404, 422]).toContain(answer.status)
        expectRefusal(answer, answer.status)
      },
    ),
  )
  expectBadParam(await pro.patchHtml(page.id, { edits, file: 5 }), 'file')
})

test('a file selector is not allowed on a single page', async () => {
  const page = await pro.publish({ html: html('word') })
  await leavesUntouched(page, async () => {
    const edits = [{ find: 'word', replace: 'WORD' }]
    expectRefusal(await pro.patchHtml(page.id, { edits, file: 'index.html' }), 400)
  })
})

test('an edit of a PDF or image is 400', async () => {
  const filename = `${word('file')}.pdf`
  const page = await pro.publish({ file_base64: base64(pdf()), filename })
  const edits = [{ find: 'Hello', replace: 'Bye' }]
  expectRefusal(await pro.patchHtml(page.id, { edits }), 400)
  expect(await pro.page(page.id)).toEqual(page)
})

test('an edit result over the per-page cap is 413, and nothing is written', async () => {
  const page = await free.publish({ html: html('x;'.repeat(1000)) })
  const edits = [{ find: 'x;', replace: 'y'.repeat(6000), replace_all: true }]
  expectRefusal(await free.patchHtml(page.id, { edits, publish: true }), 413)
  expect(await free.draft(page.id)).toBe(html('x;'.repeat(1000)))
  expect(await free.versions(page.id)).toHaveLength(1)
  expect((await visitor.open(page.slug)).text).toBe(html('x;'.repeat(1000)))
  const fine = [{ find: 'x;', replace: 'y'.repeat(4000), replace_all: true }]
  expect((await free.edit(page.id, fine)).edits.changes[0]!.count).toBe(1000)
})

test('an edit result of exactly the cap is accepted, and with one byte more it is 413', async () => {
  const start = html('x;'.repeat(1000))
  const make = () => free.publish({ html: start })
  /** Edits whose result has exactly this many bytes. */
  const growTo = (sizeBytes: number): Edit[] => {
    const each = Math.floor((sizeBytes - start.length) / 1000)
    const rest = sizeBytes - start.length - each * 1000
    return [
      { find: 'x;', replace: `yy${'z'.repeat(each)}`, replace_all: true },
      { find: '</body>', replace: `${'z'.repeat(rest)}</body>` },
    ]
  }
  const caps = [5_000_000, 5 * 1024 * 1024]
  const taken = []
  for (const cap of caps) {
    const page = await make()
    const answer = await free.patchHtml(page.id, { edits: growTo(cap) })
    if (answer.status !== 200) expectRefusal(answer, 413)
    else taken.push(cap)
    if (answer.status === 200) expect((await free.draft(page.id)).length).toBe(cap)
  }
  const cap = taken.at(-1)
  expect(cap, 'a cap of 5 MB is reached exactly').toBeDefined()
  const page = await make()
  expectRefusal(await free.patchHtml(page.id, { edits: growTo(cap! + 1) }), 413)
  expect(await free.draft(page.id)).toBe(start)
}, 240_000)

test('an edit result over the deck total is 413, and nothing is written', async () => {
  const files = ['index.html', 'b.html'].map((path) => ({ path, html: html('x;'.repeat(1000)) }))
  const page = await free.publish({ files })
  const grow = (by: number) => [{ find: 'x;', replace: 'y'.repeat(by), replace_all: true }]
  await free.edit(page.id, grow(3000))
  const answer = await free.patchHtml(page.id, { edits: grow(3000), file: 'b.html' })
  expectRefusal(answer, 413)
  expect((await free.html(page.id)).files).toContainEqual(files[1]!)
  await free.edit(page.id, grow(1000), { file: 'b.html' })
})

test('an edit result over the per-file cap of a deck is 413', async () => {
  const page = await free.publish({
    files: [{ path: 'index.html', html: html('x;'.repeat(1000)) }],
  })
  const edits = [{ find: 'x;', replace: 'y'.repeat(6000), replace_all: true }]
  expectRefusal(await free.patchHtml(page.id, { edits }), 413)
})

test('an edit of an unknown page is 404', async () => {
  const edits = [{ find: 'x', replace: 'y' }]
  expectRefusal(await pro.patchHtml('pg_nothing', { edits }), 404)
})

test('an edit with the old ETag of the HTML is 412, and nothing is written', async () => {
  const page = await pro.publish({ html: html('one') })
  const etag = (await pro.call('GET', `/pages/${page.id}/html`)).headers.get('etag')!
  const first = [{ find: 'one', replace: 'two' }]
  const fresh = await pro.patchHtml(page.id, { edits: first }, { 'if-match': etag })
  expect(fresh.status).toBe(200)
  await leavesUntouched(page, async () => {
    const edits = [{ find: 'two', replace: 'three' }]
    expectRefusal(await pro.patchHtml(page.id, { edits }, { 'if-match': etag }), 412)
  })
})
