/** `handbill pull`: the content of a page as files. */
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pro } from './client.ts'
import { shellOf } from './client-shell.ts'
import { base64, html, pdf, png, word } from './material.ts'
import { server } from './server.ts'

const logo = png()
const deck = () =>
  pro.publish({
    files: [
      { path: 'index.html', html: html('entry') },
      { path: 'parts/two.html', html: html('two') },
    ],
    assets: [{ path: 'img/logo.png', data_base64: base64(logo) }],
  })

test('pull saves a single page, whole, and publishing it again replaces the page', async () => {
  const shell = shellOf()
  const long = `<img src="data:image/png;base64,${'A'.repeat(5000)}">`
  const page = await pro.publish({ html: html(long) })
  expect(await shell.line('pull', page.url, 'report.html')).toBe('report.html')
  expect(shell.read('report.html')).toBe(html(long))
  shell.write('report.html', html('changed'))
  expect(await shell.line('publish', 'report.html')).toBe(page.url)
  expect(await pro.draft(page.id)).toBe(html('changed'))
  expect((await shell.run('pull', 'report.html')).stderr).toContain('--force')
  await pro.update(page.id, { html: html('changed elsewhere') })
  expect(await shell.line('pull', 'report.html', '--force')).toBe('report.html')
  expect(shell.read('report.html')).toBe(html('changed elsewhere'))
  await pro.update(page.id, { html: html('changed') })
  expect((await shell.run('pull', page.id)).stdout).toBe(`${page.slug}.html\n`)
  expect(shell.read(`${page.slug}.html`)).toBe(html('changed'))
})

test('pull saves a deck with its assets, and a PDF or image by its name', async () => {
  const shell = shellOf()
  const page = await deck()
  const { path, files } = await shell.json<{ path: string; files: string[] }>('pull', page.id, 'd')
  expect(path).toBe(join(shell.folder, 'd'))
  expect(files.sort()).toEqual(['img/logo.png', 'index.html', 'parts/two.html'])
  expect(shell.read('d/parts/two.html')).toBe(html('two'))
  expect(readFileSync(join(path, 'img/logo.png')).equals(Buffer.from(logo))).toBe(true)
  expect(await shell.line('publish', 'd')).toBe(page.url)
  expect((await pro.page(page.id)).has_unpublished_changes).toBe(false)

  const filename = `${word('plan')}.pdf`
  const file = await pro.publish({ file_base64: base64(pdf()), filename, publish: false })
  expect(await shell.line('pull', file.id)).toBe(filename)
  expect(readFileSync(join(shell.folder, filename)).equals(Buffer.from(pdf()))).toBe(true)
})

test('pull saves the draft, an earlier version with --version, and - writes to stdout', async () => {
  const shell = shellOf()
  const page = await pro.publish({ html: html('one') })
  await pro.update(page.id, { html: html('two') })
  expect((await shell.run('pull', page.id, '-')).stdout).toBe(html('two'))
  expect((await shell.run('pull', page.id, '-', '--version', '1')).stdout).toBe(html('one'))
  const file = await pro.publish({ file_base64: base64(logo), filename: 'a.png' })
  await pro.update(file.id, { file_base64: base64(png()), filename: 'b.png' })
  const piped = await shell.run('pull', file.id, 'first.png', '--version', '1')
  expect(piped.code, piped.stderr).toBe(0)
  expect(readFileSync(join(shell.folder, 'first.png')).equals(Buffer.from(logo))).toBe(true)
  expect((await shell.run('pull', (await deck()).id, '-')).code).toBe(2)
  expect((await shell.run('pull', page.id, '-', '--version', 'x')).code).toBe(2)
  const none = await shell.run('pull', page.id, '--version', '99')
  expect([none.code, none.stdout, readdirSync(shell.folder).includes(page.slug)]).toEqual([
    4,
    '',
    false,
  ])
})

test('pull overwrites nothing without --force, and follows no link out of the folder', async () => {
  const shell = shellOf()
  const [single, folder] = [await pro.publish({ html: html('new') }), await deck()]
  shell.write('a.html', 'mine')
  shell.write('d/mine.txt', 'mine')
  for (const [id, path] of [
    [single.id, 'a.html'],
    [folder.id, 'd'],
  ] as const) {
    const { code, stderr } = await shell.run('pull', id, path)
    expect([code, stderr.split('\n').length]).toEqual([1, 2])
    expect(stderr).toContain('--force')
  }
  expect([shell.read('a.html'), existsSync(join(shell.folder, 'd/index.html'))]).toEqual([
    'mine',
    false,
  ])
  await shell.line('pull', single.id, 'a.html', '--force')
  expect(shell.read('a.html')).toBe(html('new'))
  await shell.line('pull', folder.id, 'd', '--force')
  expect([shell.read('d/mine.txt'), shell.read('d/index.html')]).toEqual(['mine', html('entry')])

  mkdirSync(join(shell.folder, 'outside'))
  mkdirSync(join(shell.folder, 'e'))
  symlinkSync(join(shell.folder, 'outside'), join(shell.folder, 'e/img'))
  const linked = await shell.run('pull', folder.id, 'e', '--force')
  expect(linked.code).toBe(1)
  expect(readdirSync(join(shell.folder, 'outside'))).toEqual([])
})

test('a server that names paths outside of the folder writes nothing there', async () => {
  const paths = ['../evil.html', '/evil.html', 'a/../../evil.html', 'a\\evil.html', 'C:evil.html']
  for (const path of [...paths, '.handbill.json']) {
    using hostile = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      async fetch(request) {
        const { pathname, search } = new URL(request.url)
        const answer = await fetch(server.url + pathname + search, { headers: request.headers })
        const body = (await answer.json()) as { data: { files?: { path: string }[] } }
        if (body.data.files) body.data.files[0]!.path = path
        return Response.json(body, { status: answer.status })
      },
    })
    const shell = shellOf()
    const page = await deck()
    const env = { HANDBILL_URL: hostile.url.origin }
    const { code, stderr } = await shell.runWith({ env }, 'pull', page.id, 'sub/d')
    expect([code, stderr]).toEqual([1, expect.stringContaining('cannot be saved')])
    expect(readdirSync(shell.folder)).toEqual([])
  }
})
