/**
 * Pages with a watermark: nobody but the owner gets a byte of the file as it was published, by
 * whatever request.
 */
import { describe, expect, it } from 'bun:test'
import type { Link } from '../../../features/links/contract.ts'
import { ENGINES, HOUR_MS, type TestApp, testApp } from '../../../testing/app.ts'
import { LOCKED_PDF } from '../../../testing/locked-pdf.ts'
import { base64 } from '../../../testing/material.ts'
import { CONTENT_URL } from '../../../testing/own-host.ts'
import type { Owner } from '../../../testing/people.ts'
import { samplePdf } from '../../../testing/sample-pdf.ts'
import { sessionOf } from '../../../testing/signed-in.ts'
import { BROWSER, createVisitor, framePathIn } from '../../../testing/visitor.ts'

type Sent = Record<string, string>

const PDF = samplePdf({ pages: 2, lines: ['The plan'] })
const MARKED = { watermark: true }

function publish(owner: Owner, bytes: Uint8Array, filename: string, settings: object = MARKED) {
  return owner.publish({ file_base64: base64(bytes), filename, title: 'Plan' }, settings)
}

/** All that a part of the file as it was published would show. */
function partsOf(original: Uint8Array): Buffer[] {
  const whole = Buffer.from(original)
  return [whole.subarray(0, 60), whole.subarray(-60), whole]
}

async function bytesOf(answer: Response): Promise<Buffer> {
  return Buffer.from(await answer.arrayBuffer())
}

/** Everything that a visitor can send for the file of a page, with what answers it. */
async function askEverything(app: TestApp, slug: string, file: string): Promise<Response[]> {
  const visitor = app.visitor()
  const base = await framePathIn(await visitor.open(`/p/${slug}`, BROWSER))
  const addresses = [
    ...[`/p/${slug}`, `/p/${slug}?file`, `/p/${slug}?download`, `/p/${slug}?~download=x`],
    ...[`/p/${slug}/`, `/p/${slug}/${file}`, `/p/${slug}/~/${file}`, `/p/${slug}/~/preview.png`],
    ...[base, base + file, `${base}${file}?download`, `${base}${file}?~download=x`],
    `${base}..%2f${file}`,
  ]
  const headers: Sent[] = [
    ...[{}, { accept: '*/*' }, { accept: 'text/markdown' }, { accept: 'application/pdf' }],
    ...[{ range: 'bytes=0-' }, { range: 'bytes=0-59' }, { range: 'bytes=-60' }],
    ...[{ range: 'bytes=30-400', 'if-range': '"x"' }, { 'accept-encoding': 'br, gzip' }],
    ...[{ 'user-agent': 'Slackbot 1.0' }, { 'sec-fetch-dest': 'iframe', accept: '*/*' }],
    ...[{ 'sec-fetch-dest': 'image' }, { 'sec-fetch-dest': 'empty' }, { purpose: 'prefetch' }],
    ...[BROWSER, { cookie: 'handbill_session=none' }, { 'x-handbill': '1' }],
  ]
  const methods = ['GET', 'HEAD', 'POST', 'OPTIONS']
  return Promise.all(
    addresses.flatMap((address) =>
      headers.flatMap((own) => methods.map((method) => visitor.open(address, own, method))),
    ),
  )
}

for (const engine of ENGINES) {
  describe(`a page with a watermark on ${engine}`, () => {
    it('gives its file as it is to the owner alone', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await publish(owner, PDF, 'plan.pdf')
      const answers = await askEverything(app, page.slug, 'plan.pdf')
      let copies = 0
      for (const answer of answers) {
        const body = await bytesOf(answer)
        for (const part of partsOf(PDF)) expect(body.includes(part)).toBe(false)
        expect(answer.headers.get('content-range')).toBeNull()
        if (body.toString('latin1', 0, 5) !== '%PDF-') continue
        copies += 1
        expect(answer.headers.get('accept-ranges')).toBe('none')
        expect(answer.headers.get('cache-control')).toStartWith('private')
        expect(body.byteLength).toBeGreaterThan(PDF.byteLength / 2)
      }
      expect(copies).toBeGreaterThan(40)
      const session = await sessionOf(app, owner.email)
      const own = await app.open(`/p/${page.slug}`, { cookie: session.cookie })
      expect((await bytesOf(own)).equals(PDF)).toBe(true)
      const pulled = await session.send(`/pages/${page.id}/download`)
      expect((await bytesOf(pulled)).equals(PDF)).toBe(true)
    })

    it('counts its views as others are counted, and none for a file that cannot be marked', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await publish(owner, PDF, 'plan.pdf', { ...MARKED, max_views: 2 })
      const statuses = async () => (await app.open(`/p/${page.slug}`)).status
      expect([await statuses(), await statuses(), await statuses()]).toEqual([200, 200, 410])
      for (const bytes of [LOCKED_PDF, new TextEncoder().encode('%PDF-1.7\nno pages')]) {
        const broken = await publish(owner, bytes, 'x.pdf', {
          ...MARKED,
          title: null,
          max_views: 1,
        })
        const refused = await app.open(`/p/${broken.slug}`)
        expect([refused.status, await refused.text()]).toEqual([
          422,
          'Each copy of this file says whose it is, and this file cannot be marked: tell its owner.\n',
        ])
        expect((await owner.page(broken.id)).views).toBe(0)
      }
    })

    it('has another copy for each person and hour, which a program that has it keeps', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await publish(owner, PDF, 'plan.pdf')
      const [ann, ben] = await Promise.all(
        ['Ann (Acme)', 'Ben'].map(async (label) => {
          const link = await owner.ask<Link>('POST', `/pages/${page.id}/links`, { label })
          const visitor = createVisitor(app, {})
          await visitor.open(new URL(link.url).pathname)
          return visitor
        }),
      )
      const [path, frame] = [
        `/p/${page.slug}`,
        `${await framePathIn(await ann!.open(`/p/${page.slug}`, BROWSER))}plan.pdf`,
      ]
      const get = async (visitor = app.visitor(), at = path, headers: Sent = {}) => {
        const answer = await visitor.open(at, headers)
        return {
          status: answer.status,
          etag: answer.headers.get('etag')!,
          body: await bytesOf(answer),
        }
      }
      const [annHas, benHas, anybodyHas] = [await get(ann), await get(ben), await get()]
      expect(new Set([annHas.etag, benHas.etag, anybodyHas.etag]).size).toBe(3)
      expect(annHas.body.equals(benHas.body)).toBe(false)
      // A frame token says whose it is without a cookie.
      expect((await get(undefined, frame)).body.equals(annHas.body)).toBe(true)
      const held = { 'if-none-match': annHas.etag }
      expect([(await get(ann, path, held)).status, (await get(ben, path, held)).status]).toEqual([
        304, 200,
      ])
      app.advance(HOUR_MS)
      const later = await get(ann, path, held)
      expect([later.status, later.etag === annHas.etag]).toEqual([200, false])
      await owner.update(page.id, { watermark: false })
      expect((await get(ann)).body.equals(PDF)).toBe(true)
    })
  })
}

it('gives nothing else on hosts of pages, nor when it is switched on under an open token', async () => {
  await using app = await testApp('sqlite', { contentUrl: CONTENT_URL })
  const owner = await app.owner()
  const page = await publish(owner, PDF, 'plan.pdf', {})
  const visitor = app.visitor()
  const frame = `${await framePathIn(await visitor.open(`/p/${page.slug}`, BROWSER))}plan.pdf`
  expect((await bytesOf(await visitor.open(frame))).equals(PDF)).toBe(true)
  await owner.update(page.id, MARKED)
  for (const headers of [{}, { range: 'bytes=0-' }]) {
    const answer = await visitor.open(frame, headers)
    expect((await bytesOf(answer)).includes(PDF.subarray(0, 60))).toBe(false)
  }
  for (const response of await askEverything(app, page.slug, 'plan.pdf')) {
    expect((await bytesOf(response)).includes(PDF.subarray(0, 60))).toBe(false)
  }
})

const PICTURE = { width: 320, height: 200 }

/** A white picture in each format, and what its copy is. */
const PICTURES: [name: string, mime: string, make: (png: Bun.Image) => Promise<Uint8Array>][] = [
  ['a.png', 'image/png', (png) => png.png().bytes()],
  ['a.jpg', 'image/jpeg', (png) => png.jpeg({ quality: 95 }).bytes()],
  ['a.webp', 'image/webp', (png) => png.webp({ quality: 95 }).bytes()],
]

it('gives images in their format, with the marks in their pixels', async () => {
  await using app = await testApp('sqlite')
  const owner = await app.owner()
  for (const [name, mime, make] of PICTURES) {
    const original = await make(new Bun.Image(await blank(PICTURE)))
    const page = await publish(owner, original, name, { ...MARKED, title: name })
    const answer = await app.open(`/p/${page.slug}`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, mime])
    const copy = await bytesOf(answer)
    expect(copy.includes(original.subarray(-40))).toBe(false)
    expect(await new Bun.Image(copy).metadata()).toMatchObject(PICTURE)
    expect(copy.equals(Buffer.from(original))).toBe(false)
  }
})

async function blank({ width, height }: typeof PICTURE): Promise<Uint8Array> {
  const { createRaster } = await import('../../../platform/drawing/raster.ts')
  return createRaster(width, height, [255, 255, 255]).png()
}
