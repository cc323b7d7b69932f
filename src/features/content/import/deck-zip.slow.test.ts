import { describe, expect, it } from 'bun:test'
import { ENGINES, type TestApp, testApp } from '../../../testing/app.ts'
import { rowCounts, storedKeys } from '../../../testing/dump.ts'
import type { Owner } from '../../../testing/people.ts'
import { type ZipEntry, zipOf } from '../../../testing/zips.ts'
import type { ContentFiles, Warning } from '../contract.ts'

const MB = 1024 * 1024
const page = (words: string) => `<!doctype html><title>${words}</title><p>${words}</p>`
const index: ZipEntry = { path: 'index.html', content: page('start') }
const named = { filename: 'site.zip' }

const pathsOf = async (owner: Owner, id: string) =>
  (await owner.ask<ContentFiles>('GET', `/pages/${id}/files`)).files.map(({ path }) => path).sort()

async function zipUpload(owner: Owner, ...entries: ZipEntry[]): Promise<string> {
  return (await owner.upload(zipOf(...entries))).id
}

/** Expects that publishing the upload is refused, and that nothing is stored beside it. */
async function expectNothing(app: TestApp, owner: Owner, zip: Uint8Array) {
  const { id } = await owner.upload(zip)
  await app.quiet()
  const [rows, keys] = [await rowCounts(app), await storedKeys(app)]
  const { status, body } = await owner.refused('POST', '/pages', { file_upload: id, ...named })
  await app.quiet()
  expect([await rowCounts(app), await storedKeys(app)]).toEqual([rows, keys])
  expect(body.error.message.length).toBeLessThan(400)
  expect(body.error.param).toBe('file_upload')
  return { status, ...body.error }
}

for (const engine of ENGINES) {
  describe(`an uploaded zip on ${engine}`, () => {
    it('is a deck of its files, without the folder around them and what tools keep', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const id = await zipUpload(
        owner,
        { path: 'site/', content: '' },
        { path: 'site/index.html', content: page('start') },
        { path: 'site/parts/Über uns.html', content: 'an older one that this replaces' },
        { path: './site//parts/Über uns.html', content: page('two') },
        { path: 'site/parts/Über uns.html'.normalize('NFD'), content: page('two') },
        { path: 'site/data.bin', content: new Uint8Array([1, 2, 255]), method: 8 },
        { path: 'site/.env', content: 'KEY=1' },
        { path: 'site/assets/node_modules/@a/node_modules/b.ttf', content: 'x' },
        { path: 'site/assets/node_modules/@a/.keep', content: '' },
        { path: 'site/node_modules/c/assets/node_modules/d.js', content: 'x' },
        { path: 'site/.git/config', content: 'x' },
        { path: 'site/.git/HEAD', content: 'x' },
        { path: 'site/link.css', content: '/etc/passwd', mode: 0o120777 },
        { path: 'site/secret.css', content: 'x', isEncrypted: true },
        { path: 'site/odd.css', content: 'x', method: 12 },
        { path: '__MACOSX/site/._index.html', content: 'x' },
        { path: 'site/~v1.cap/x.css', content: 'x' },
      )
      const { body, status } = await owner.call<{ data: Page; warnings: Warning[] }>(
        'POST',
        '/pages',
        { file_upload: id, ...named },
      )
      expect([status, body.data]).toMatchObject([
        201,
        { kind: 'bundle', entry_path: 'index.html', title: 'start', source: 'api', file: null },
      ])
      expect(body.warnings.filter(({ code }) => code === 'left_out')).toMatchObject([
        { path: '.env', message: expect.stringContaining('starts with a dot') },
        { path: 'assets/node_modules/@a/.keep', message: expect.stringContaining('with a dot') },
        { path: 'node_modules/', message: expect.stringContaining('tool') },
        { path: '.git/' },
        { path: 'link.css', message: expect.stringContaining('symbolic link') },
        { path: 'secret.css', message: expect.stringContaining('encrypted') },
        { path: 'odd.css', message: expect.stringContaining('packed') },
        { path: '__MACOSX/', message: expect.stringContaining('tool') },
        { path: '~v1.cap/x.css', message: expect.stringContaining('reserved') },
      ])
      const font = 'assets/node_modules/@a/node_modules/b.ttf'
      const paths = [font, 'data.bin', 'index.html', 'parts/Über uns.html']
      expect(await pathsOf(owner, body.data.id)).toEqual(paths)
      const served = await app.open(`/p/${body.data.slug}/parts/%C3%9Cber%20uns.html`)
      expect(await served.text()).toContain('two')
      const bytes = await (await app.open(`/p/${body.data.slug}/data.bin`)).bytes()
      expect([...bytes]).toEqual([1, 2, 255])
      for (const path of ['.env', 'link.css', 'secret.css', '.git/config']) {
        expect((await app.open(`/p/${body.data.slug}/${path}`)).status, path).toBe(404)
      }
    })

    it('that is hostile is refused, and leaves nothing', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner({ plan: 'free' })
      const file = (path: string, more: Partial<ZipEntry> = {}) => ({ path, content: 'x', ...more })
      const bomb = new Uint8Array(40 * MB)
      const whole = zipOf(index, file('a.css'))
      const refused: [string, Uint8Array, object][] = [
        ['a bomb', zipOf(index, file('a.css', { content: bomb })), { code: 'content_too_large' }],
        [
          'a bomb that lies',
          zipOf(index, file('a.css', { content: bomb, declaredBytes: 10 })),
          { code: 'invalid_zip', message: expect.stringContaining('a.css is damaged') },
        ],
        [
          'one that has less than it says',
          zipOf(index, file('a.css', { declaredBytes: 4 * MB })),
          { code: 'invalid_zip' },
        ],
        [
          'entries that overlap',
          zipOf(
            index,
            file('a.css', { content: new Uint8Array(500_000) }),
            ...Array.from({ length: 8 }, (_, n) =>
              file(`${n}.css`, { content: new Uint8Array(500_000), overlaps: true }),
            ),
          ),
          { code: 'invalid_zip', message: expect.stringContaining('overlap') },
        ],
        ['a wrong checksum', zipOf(index, file('a.css', { crc: 1 })), { code: 'invalid_zip' }],
        ['a path out of it', zipOf(index, file('../a.css')), { code: 'invalid_zip' }],
        ['one with backslashes', zipOf(index, file('..\\a.css')), { code: 'invalid_zip' }],
        ['an absolute path', zipOf(index, file('/etc/a.css')), { code: 'invalid_zip' }],
        ['a drive', zipOf(index, file('C:\\a.css')), { code: 'invalid_zip' }],
        [
          'two files for one path',
          zipOf(index, file('\xe9.css'), { path: 'e\u0301.css', content: 'y' }),
          { code: 'duplicate_path' },
        ],
        ['a long path', zipOf(index, file(`../${'x'.repeat(60_000)}`)), { code: 'invalid_zip' }],
        [
          'long names, which are all in memory',
          zipOf(
            index,
            ...Array.from({ length: 63 }, (_, n) =>
              file(`${n}${'x'.repeat(65_000)}`, { overlaps: true }),
            ),
          ),
          { code: 'invalid_zip', message: expect.stringContaining('names are too long') },
        ],
        ['no page', zipOf(file('a.css')), { code: 'empty_deck' }],
        ['links alone', zipOf(file('index.html', { mode: 0o120777 })), { code: 'empty_deck' }],
        ['an empty page', zipOf({ ...index, content: ' ' }), { code: 'empty_html' }],
        ['too many pages', zipOf(...many(61, 'html')), { code: 'too_many_files', limit: 60 }],
        [
          'too many hidden files',
          zipOf(index, ...many(1001, 'x', '.')),
          { code: 'too_many_files' },
        ],
        ['nothing', zipOf(), { code: 'empty_deck' }],
        ['no zip', new TextEncoder().encode('no zip at all'), { code: 'invalid_zip' }],
        ['a cut', whole.slice(0, -30), { code: 'invalid_zip' }],
        ['a cut at its start', whole.slice(40), { code: 'invalid_zip' }],
      ]
      for (const [what, zip, error] of refused) {
        expect(await expectNothing(app, owner, zip), what).toMatchObject(error)
      }
    })
  })
}

const many = (count: number, extension: string, before = '') =>
  Array.from({ length: count }, (_, n) => ({ path: `${before}${n}.${extension}`, content: 'x' }))

it('an uploaded zip of 60,000 entries is refused by what its end says', async () => {
  await using app = await testApp('sqlite')
  const owner = await app.owner()
  const error = await expectNothing(app, owner, zipOf(index, ...many(60_000, 'css')))
  expect(error).toMatchObject({ status: 400, code: 'too_many_files', limit: 20_000 })
})

interface Page {
  id: string
  slug: string
}
