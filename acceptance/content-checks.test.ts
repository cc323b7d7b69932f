/** What the service notices in the content that it is sent. */
import { expect, test } from 'bun:test'
import { pro, visitor } from './client.ts'
import { everyCase, expectBadContent, expectRefusal } from './expect.ts'
import { base64, gif, html, jpeg, pdf, png, webp, word } from './material.ts'
import { origin } from './origin.ts'
import { FORM, report, viewer } from './responses/viewer.ts'
import { server } from './server.ts'

const images: [string, Uint8Array][] = [
  ['png', png()],
  ['jpg', jpeg()],
  ['gif', gif()],
  ['webp', webp()],
]

test('an image that is cut off is 400, however it is sent', async () => {
  await everyCase(images, async (whole, extension) => {
    const filename = `${word('cut')}.${extension}`
    for (const size of [whole.length - 1, Math.floor(whole.length / 2)]) {
      const bytes = whole.subarray(0, size)
      const answer = await pro.create({ file_base64: base64(bytes), filename })
      expect(expectRefusal(answer, 400).code).toBe('truncated_image')
      if (!server.own) continue
      const url = origin.put(filename, { body: bytes, type: 'application/octet-stream' })
      expect(expectRefusal(await pro.create({ file_url: url }), 400).code).toBe('truncated_image')
    }
  })
})

test('HTML that is only white space is empty on every write', async () => {
  const blank = ' \n\t\u00a0\u2003\r\n'
  const page = await pro.publish({ html: html('x') })
  const deck = { files: [{ path: 'index.html', html: blank }] }
  await everyCase<[string, object]>(
    [
      ['html', ['POST', { html: blank }]],
      ['a byte order mark', ['POST', { html: '\ufeff' }]],
      ['html_base64', ['POST', { html_base64: base64(blank) }]],
      ['a file of a deck', ['POST', deck]],
      ['replaced', ['PATCH', { html: blank }]],
    ],
    async ([method, body]) => {
      const path = method === 'POST' ? '/pages' : `/pages/${page.id}`
      expect(expectRefusal(await pro.call(method, path, body), 400).code).toBe('empty_html')
    },
  )
  expectBadContent(await pro.create({ html: blank }), 'html')
  expect(await pro.draft(page.id)).toBe(html('x'))
})

test('an edit that would write an elision placeholder is 422', async () => {
  const page = await pro.publish({ html: html('one two') })
  const elided = 'ELIDED-BY-SERVICE-2048-CHARS'
  const edits = [{ find: 'one', replace: `<img src="${elided}">` }]
  const answer = expectRefusal(await pro.patchHtml(page.id, { edits }), 422)
  expect(answer).toMatchObject({ code: 'elided_edit', edit_index: 0 })
  const parts = [
    { find: 'one', replace: 'ELIDED-BY-SERVICE-' },
    { find: ' two', replace: '2048-CHARS' },
  ]
  expect(expectRefusal(await pro.patchHtml(page.id, { edits: parts }), 422).code).toBe(
    'elided_edit',
  )
  expect(await pro.draft(page.id)).toBe(html('one two'))
})

test('an edit whose text is in another file of the deck names that file', async () => {
  const files = ['index', 'two', 'three'].map((name) => ({
    path: `${name}.html`,
    html: html(`this is ${name}`),
  }))
  const page = await pro.publish({ files })
  const edits = [
    { find: 'is index', replace: 'was index' },
    { find: 'is two', replace: 'was two' },
  ]
  const refused = expectRefusal(await pro.patchHtml(page.id, { edits }), 422)
  expect(refused).toMatchObject({
    code: 'edit_not_found',
    edit_index: 1,
    matches: 0,
    found_in: ['two.html'],
  })
  expect(refused.message).toContain('"two.html"')
  const nowhere = [{ find: 'is four', replace: 'x' }]
  const answer = expectRefusal(await pro.patchHtml(page.id, { edits: nowhere }), 422)
  expect(answer).not.toHaveProperty('found_in')
})

test('line breaks in og_description are spaces', async () => {
  const page = await pro.publish({ html: html('x'), og_description: 'One\r\ntwo\nthree\tfour\n' })
  expect(page.og_description).toBe('One two three four')
  expect((await visitor.open(page.slug)).text).toContain('content="One two three four"')
})

test('a file without extension is downloaded with the one of its type', async () => {
  const filename = word('Report v1.2')
  const page = await pro.publish({ file_base64: base64(pdf()), filename })
  expect(page.file?.name).toBe(filename)
  const opened = await visitor.open(page.slug)
  expect(opened.headers.get('content-disposition')).toContain(`${filename}.pdf"`)
})

test.skipIf(!server.own)(
  'the name in the Content-Disposition of a fetched file is its name',
  async () => {
    const stem = word('Bericht')
    await everyCase(
      [
        [`attachment; filename="${stem} 1.pdf"`, `${stem} 1.pdf`],
        [`inline; filename=x.pdf; filename*=UTF-8''${stem}%20%C3%BC.pdf`, `${stem} ü.pdf`],
        [`attachment; filename="../../${stem}.pdf"`, `${stem}.pdf`],
        ['attachment; filename=".."', 'url-name.pdf'],
        ['nonsense;;=', 'url-name.pdf'],
        ['attachment', 'url-name.pdf'],
      ],
      async (name, disposition) => {
        const type = 'application/pdf'
        const url = origin.put('url-name.pdf', { body: pdf(), type, disposition })
        expect((await pro.publish({ file_url: url })).file?.name).toBe(name)
      },
    )
  },
)

test('a resubmission without a name keeps the name, and one with a name replaces it', async () => {
  const page = await pro.publish({ html: FORM })
  const ann = viewer()
  const nameAfter = async (members: Record<string, unknown>) => {
    await ann.respond(page, { a: word() }, members)
    return (await report(pro, page)).responses[0]!.name
  }
  expect(await nameAfter({ name: 'Ann' })).toBe('Ann')
  expect(await nameAfter({})).toBe('Ann')
  expect(await nameAfter({ name: ' ' })).toBe('Ann')
  expect(await nameAfter({ name: 'Anna' })).toBe('Anna')
})

test('CSV cells that start with a full-width sign or a line feed are prefixed', async () => {
  const page = await pro.publish({ html: FORM })
  const cells = ['＝1+1', '＋1', '－1', '＠SUM(1)', '\n=1+1']
  for (const text of cells) await viewer().respond(page, { text })
  const csv = (await pro.call('GET', `/pages/${page.id}/responses?format=csv`)).text
  for (const text of cells) expect(csv).toContain(`'${text}`)
})
