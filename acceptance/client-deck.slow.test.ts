import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { zipOf } from '../src/testing/zips.ts'
import { type Page, pro, visitor } from './client.ts'
import { shellOf, slugOf } from './client-shell.ts'
import { html, png } from './material.ts'

const SLOW = 240_000
const MB = 1024 * 1024

test(
  'a zip with unsafe paths or wrong sizes is refused',
  async () => {
    const shell = shellOf()
    const page = { path: 'index.html', content: html('x') }
    const bomb = new Uint8Array(60 * MB)
    const cases: [name: string, zip: Uint8Array, says: RegExp][] = [
      [
        'slip',
        zipOf(page, { path: '../slipped.html', content: 'x' }),
        /not a zip.+invalid relative/,
      ],
      [
        'root',
        zipOf(page, { path: '/etc/slipped.html', content: 'x' }),
        /not a zip.+absolute path/,
      ],
      [
        'bomb',
        zipOf(page, ...['a', 'b'].map((n) => ({ path: `${n}.css`, content: bomb }))),
        /is 60 MB; the Pro plan allows 5 MB for an asset of a deck/,
      ],
      ['liar', zipOf(page, { path: 'a.css', content: bomb, declaredBytes: 10 }), /not a zip/],
      ['half', zipOf(page).slice(0, -10), /not a zip/],
      ['none', new TextEncoder().encode('no zip at all'), /not a zip/],
    ]
    await Promise.all(
      cases.map(async ([name, zip, says]) => {
        shell.write(`${name}.zip`, zip)
        const { code, stdout, stderr } = await shell.run('publish', `${name}.zip`)
        expect({ code, stdout }, `${name}: ${stderr}`).toEqual({ code: 1, stdout: '' })
        expect(stderr, name).toMatch(says)
        expect(stderr.trim().split('\n'), name).toHaveLength(1)
      }),
    )
    expect(existsSync(join(dirname(shell.folder), 'slipped.html'))).toBe(false)
    expect(existsSync(join(shell.folder, '.handbill.json'))).toBe(false)
  },
  SLOW,
)

test(
  'a page that gets its first file, and one that loses its last, keeps its link',
  async () => {
    const shell = shellOf()
    shell.write('a.html', html('<p>The words that stay.</p>'))
    const url = await shell.line('publish', 'a.html')
    const { id, slug } = await shell.json<Page>('get', 'a.html')
    shell.write('a.html', html('<p>The words that stay.</p><img src="a.png">'))
    shell.write('a.png', png())
    expect(await shell.line('publish', 'a.html')).toBe(url)
    expect(await pro.page(id)).toMatchObject({ kind: 'bundle', entry_path: 'a.html' })
    expect((await visitor.open(`${slug}/a.png`)).status).toBe(200)
    expect(await shell.line('publish', 'a.html', '--alone')).toBe(url)
    expect((await visitor.open(`${slug}/a.png`)).status).toBe(404)
    shell.write('a.html', html('<p>No image.</p>'))
    expect(await shell.line('publish', 'a.html')).toBe(url)
    expect((await visitor.open(`${slug}/a.html`)).text).toBe(html('<p>No image.</p>'))
    const single = await shell.line('publish', 'a.html', '--alone', '--new')
    shell.write('site/index.html', html('site'))
    expect(await shell.line('update', single, 'site')).toBe(single)
    expect((await visitor.open(`${slugOf(single)}/index.html`)).text).toBe(html('site'))
  },
  SLOW,
)
