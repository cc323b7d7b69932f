import { expect, test } from 'bun:test'
import { asHtml, asPdf, css, expectCap, indexFile, publishUpload } from './caps.ts'
import { dataOf, type Page, pro, send, team } from './client.ts'
import { expectRefusal } from './expect.ts'
import { htmlOfSize, pdfOfSize } from './material.ts'

test('a single HTML page on Pro may have 50 MB', async () => {
  await expectCap(pro, 50, htmlOfSize, asHtml)
}, 240_000)

test('a PDF or image on Pro may have 50 MB', async () => {
  await expectCap(pro, 50, pdfOfSize, asPdf)
}, 240_000)

test('a PDF or image on Team may have 100 MB', async () => {
  await expectCap(team, 100, pdfOfSize, asPdf)
}, 240_000)

test('a single HTML page on Team may have 100 MB', async () => {
  const taken = await publishUpload(team, htmlOfSize(60_000_000), asHtml)
  const page = dataOf<Page>(taken, 201)
  await team.remove(page.id)
}, 240_000)

test('the whole deck, HTML and assets, is within 32 MB on Pro and Team', async () => {
  for (const owner of [pro, team]) {
    const uploads: { id: string }[] = []
    for (let i = 0; i < 7; i += 1) uploads.push(await owner.upload(`/*${i}*/${css(4_900_000)}`))
    const assets = uploads.map(({ id }, i) => ({ path: `a${i}.css`, upload: id }))
    expectRefusal(await owner.create({ files: [indexFile], assets }), 413)
    const page = await owner.publish({ files: [indexFile], assets: assets.slice(0, 6) })
    expect((await send(`/p/${page.slug}/a5.css`)).bytes.length).toBe(4_900_005)
    const file = await owner.upload(htmlOfSize(4_500_000))
    const files = [indexFile, { path: 'b.html', upload: file.id }]
    expectRefusal(await owner.create({ files, assets: assets.slice(0, 6) }), 413)
  }
}, 240_000)
