import { expect, test } from 'bun:test'
import { existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ZipEntry, zipOf } from '../src/testing/zips.ts'
import { dataOf, type Page, pro, visitor } from './client.ts'
import { shellOf, slugOf } from './client-shell.ts'
import { html, htmlOfSize, pdf, png, word } from './material.ts'
import { server } from './server.ts'

const SLOW = 240_000
const OPENS = 'Open to anyone with the link.\nThe page opens at index.html.\n'

test(
  'a folder becomes a deck, and publishing it again updates the same page',
  async () => {
    const shell = shellOf()
    const picture = png()
    shell.write('site/index.html', html('start'))
    shell.write('site/about/team.htm', html('team'))
    shell.write('site/img/a.png', picture)
    shell.write('site/style.css', 'p { color: red }')
    const page = await shell.json<Page>('publish', 'site')
    expect(page).toMatchObject({ kind: 'bundle', entry_path: 'index.html', file_count: 2 })
    const open = (path: string) => visitor.open(`${page.slug}/${path}`)
    expect((await open('about/team.htm')).text).toBe(html('team'))
    expect((await open('img/a.png')).bytes).toEqual(picture)
    shell.write('site/index.html', html('changed'))
    expect(await shell.line('publish', 'site', '--entry', 'about/team.htm')).toBe(page.url)
    expect((await open('index.html')).text).toBe(html('changed'))
    expect((await shell.json<Page>('get', 'site')).entry_path).toBe('about/team.htm')
    const inside = await shell.runWith({ cwd: join(shell.folder, 'site') }, 'publish', '.')
    expect(inside.stdout.trim(), 'the folder, from within').toBe(page.url)
    const said = OPENS.replace('index.html', 'about/team.htm')
    expect(inside.stderr, 'what it remembers by is not worth a word').toBe(
      said.replace(/\n$/, ' To open it elsewhere, add --entry FILE.\n'),
    )
    expect((await open('.handbill.json')).status).toBe(404)
  },
  SLOW,
)

test(
  'files that do not belong in a deck are left out and named',
  async () => {
    const shell = shellOf()
    const secret = word('secret')
    writeFileSync(join(dirname(shell.folder), 'outside.css'), secret)
    shell.write('site/index.html', html('start'))
    shell.write('site/kept.css', 'p {}')
    for (const path of ['.env', '.git/config', '.hidden.html', 'node_modules/a/index.html']) {
      shell.write(`site/${path}`, secret)
    }
    symlinkSync('../../outside.css', join(shell.folder, 'site/out.css'))
    symlinkSync('.env', join(shell.folder, 'site/env.css'))
    symlinkSync('nowhere.css', join(shell.folder, 'site/dangling.css'))
    symlinkSync('kept.css', join(shell.folder, 'site/inside.css'))
    symlinkSync('..', join(shell.folder, 'site/up'))
    const { code, stdout, stderr } = await shell.run('publish', 'site')
    expect(code, stderr).toBe(0)
    const notices = stderr.trim().split('\n').sort()
    expect(notices).toEqual([
      'Left out .env, .git/, .hidden.html: its name starts with a dot.',
      'Left out dangling.css: cannot be read: it does not exist.',
      'Left out env.css: it links to a file whose name starts with a dot.',
      'Left out node_modules/: it belongs to tools.',
      'Left out out.css, up: it links out of the folder.',
      ...OPENS.trim().split('\n'),
    ])
    const slug = slugOf(stdout.trim())
    expect((await visitor.open(`${slug}/inside.css`)).text).toBe('p {}')
    const paths = ['.env', '.git/config', 'out.css', 'env.css', 'up/outside.css']
    for (const path of paths) expect((await visitor.open(`${slug}/${path}`)).status).toBe(404)
    const whole = await pro.call('GET', `/pages/${(await shell.json<Page>('get', 'site')).id}/html`)
    expect(whole.text).not.toContain(secret)
  },
  SLOW,
)

test(
  'files of any type are kept, and all that is left out is named at once',
  async () => {
    const shell = shellOf()
    shell.write('site/index.html', html('start'))
    for (const path of ['notes.docx', 'data.sqlite', 'LICENSE']) shell.write(`site/${path}`, path)
    const names = Array.from({ length: 25 }, (_, n) => `.${String(n).padStart(2, '0')}`)
    for (const name of names) shell.write(`site/${name}`, 'x')
    const { code, stdout, stderr } = await shell.run('publish', 'site')
    expect(code, stderr).toBe(0)
    expect(stderr.trim().split('\n')).toEqual([
      `Left out ${names.join(', ')}: its name starts with a dot.`,
      ...OPENS.trim().split('\n'),
    ])
    for (const path of ['notes.docx', 'data.sqlite', 'LICENSE']) {
      expect((await visitor.open(`${slugOf(stdout.trim())}/${path}`)).text).toBe(path)
    }
  },
  SLOW,
)

test(
  'left-out files that the page uses come first, and sources of a project are recognised',
  async () => {
    const shell = shellOf()
    const page = '<script type="module" src="/src/main.tsx"></script><a href=".plan">Plan</a>'
    shell.write('app/index.html', `${html('start')}${page}<img src="node_modules/a/logo.png">`)
    shell.write('app/src/main.tsx', 'x')
    for (const path of ['.env', '.plan', 'node_modules/a/logo.png']) {
      shell.write(`app/${path}`, 'x')
    }
    const { stderr } = await shell.run('publish', 'app')
    expect(stderr.split('\n').filter((line) => !line.startsWith('Warning: '))).toEqual([
      'index.html loads src/main.tsx, which is source code: browsers do not run it. Build the ' +
        'project, and publish the folder that the build writes, often dist/.',
      'Left out, but index.html uses it: .plan (its name starts with a dot).',
      'Left out, but index.html uses it: node_modules/ (it belongs to tools).',
      'Left out .env: its name starts with a dot.',
      ...OPENS.split('\n'),
    ])
    shell.write('app/dist/index.html', html('built'))
    expect((await shell.run('publish', 'app')).stderr).toContain('Did you mean dist/?')
  },
  SLOW,
)

test(
  'source code that a script of the page compiles, or that is only linked, is no mistake',
  async () => {
    const shell = shellOf()
    const scripts =
      '<script src="babel.min.js"></script><script type="text/babel" src="app.jsx"></script>' +
      '<script src="part.tsx" data-presets="react" type="text/babel"></script>' +
      '<link rel="stylesheet/less" href="look.less"><a class="x" href="main.ts">Source</a>'
    shell.write('app/index.html', html(scripts))
    for (const name of ['babel.min.js', 'app.jsx', 'part.tsx', 'look.less', 'main.ts']) {
      shell.write(`app/${name}`, 'x')
    }
    expect((await shell.run('publish', 'app')).stderr).toBe(OPENS)
    shell.write('app/index.html', html('<script src="main.ts" type="text/javascript"></script>'))
    expect((await shell.run('publish', 'app')).stderr).toContain('index.html loads main.ts')
  },
  SLOW,
)

test(
  'a folder of Markdown alone is published as HTML, with its links',
  async () => {
    const shell = shellOf()
    shell.write(
      'notes/README.md',
      '# Start\n\n[Plan](docs/plan.md#now) [Web](https://a.example/b.md)',
    )
    shell.write('notes/docs/plan.md', '# The plan\n\n[Back](../README.md)')
    const page = await shell.json<Page>('publish', 'notes')
    expect(page).toMatchObject({ kind: 'bundle', entry_path: 'index.html', file_count: 2 })
    const start = (await visitor.open(`${page.slug}/index.html`)).text
    expect(start).toContain('<h1 id="start">Start</h1>')
    expect(start).toContain('href="docs/plan.html#now"')
    expect(start).toContain('href="https://a.example/b.md"')
    const plan = (await visitor.open(`${page.slug}/docs/plan.html`)).text
    expect(plan).toContain('href="../index.html"')
    shell.write('site/index.html', html('start'))
    shell.write('site/notes.md', '# Raw')
    const mixed = await shell.json<Page>('publish', 'site')
    expect((await visitor.open(`${mixed.slug}/notes.md`)).text).toBe('# Raw')
  },
  SLOW,
)

test(
  'a deck over the limit of a request body is uploaded in parts',
  async () => {
    const shell = shellOf()
    const large = htmlOfSize(4_500_000, word())
    const data = JSON.stringify('x'.repeat(3_000_000))
    shell.write('site/index.html', html('start'))
    shell.write('site/large.html', large)
    shell.write('site/data.json', data)
    shell.write('site/more.json', data)
    const { code, stdout, stderr } = await shell.run('publish', 'site')
    expect({ code, stderr }).toEqual({ code: 0, stderr: OPENS })
    const slug = slugOf(stdout.trim())
    expect((await visitor.open(`${slug}/large.html`)).text).toBe(large)
    for (const path of ['data.json', 'more.json']) {
      expect((await visitor.open(`${slug}/${path}`)).text).toBe(data)
    }
  },
  SLOW,
)

test(
  'a deck whose page was deleted is uploaded once, and gets a page again',
  async () => {
    let uploads = 0
    using proxy = Bun.serve({
      port: 0,
      fetch(request) {
        const { pathname, search } = new URL(request.url)
        if (pathname.endsWith('/uploads')) uploads += 1
        const { method, headers, body } = request
        return fetch(`${server.url}${pathname}${search}`, { method, headers, body })
      },
    })
    const env = { HANDBILL_URL: proxy.url.origin }
    const shell = shellOf()
    shell.write('site/index.html', html('start'))
    shell.write('site/large.html', htmlOfSize(8_500_000, word()))
    const publish = () => shell.runWith({ env }, 'publish', 'site', '--json', '--yes')
    const { id } = JSON.parse((await publish()).stdout) as Page
    expect(uploads).toBe(1)
    expect((await pro.call('DELETE', `/pages/${id}`)).status).toBe(204)
    shell.write('site/large.html', htmlOfSize(8_500_000, word()))
    const again = await publish()
    expect(again.code, again.stderr).toBe(0)
    expect(JSON.parse(again.stdout).id).not.toBe(id)
    expect(uploads).toBe(2)
  },
  SLOW,
)

test(
  'a folder that is not a deck is refused before anything is sent',
  async () => {
    const shell = shellOf()
    shell.write('bare/style.css', 'p {}')
    for (let n = 0; n < 61; n += 1) shell.write(`many/${n}.html`, html('x'))
    const bare = await shell.run('publish', 'bare')
    expect(bare).toMatchObject({ code: 1, stdout: '' })
    expect(bare.stderr).toMatch(/holds no HTML file/)
    const many = await shell.run('publish', 'many')
    expect(many).toMatchObject({ code: 1, stdout: '' })
    expect(many.stderr).toMatch(/holds 61 HTML files; the Pro plan allows 60: publish its folders/)
    const cure = 'PLANS_FILE on the server raises what its plans allow.'
    expect(many.stderr).toEndWith(`Nothing was sent. ${cure}\n`)
  },
  SLOW,
)

test(
  'a zip is published as a deck, without its outer folder',
  async () => {
    const shell = shellOf()
    const entries: ZipEntry[] = [
      { path: 'site/', content: '' },
      { path: 'site/index.html', content: html('start') },
      { path: 'site/style.css', content: 'p {}' },
      { path: 'site/.env', content: 'KEY=1' },
      { path: 'site/link.css', content: '/etc/passwd', mode: 0o120777 },
      { path: '__MACOSX/site/index.html', content: 'x' },
    ]
    shell.write('site.zip', zipOf(...entries))
    const { code, stdout, stderr } = await shell.run('publish', 'site.zip')
    expect(code, stderr).toBe(0)
    expect(stderr.trim().split('\n')).toEqual([
      'Left out .env: its name starts with a dot.',
      'Left out link.css: it is a link.',
      'Left out __MACOSX/site/index.html: it belongs to tools.',
      ...OPENS.trim().split('\n'),
    ])
    const slug = slugOf(stdout.trim())
    expect((await visitor.open(`${slug}/index.html`)).text).toBe(html('start'))
    expect((await visitor.open(`${slug}/style.css`)).text).toBe('p {}')
    expect((await visitor.open(`${slug}/link.css`)).status).toBe(404)
    expect(await shell.line('publish', 'site.zip')).toBe(stdout.trim())
  },
  SLOW,
)

test(
  'a page takes along the files that it refers to, and what these refer to',
  async () => {
    const shell = shellOf()
    const body =
      '<link rel="stylesheet" href="css/a.css"><img src="pics/a%20b.png?v=1" ' +
      'srcset="pics/c.png 1x, pics/d.png 2x"><a href="data.csv">Data</a>' +
      '<iframe src="/frames/chart.html"></iframe><a href="other.html">Other</a>' +
      '<img src="missing.png"><img src="https://a.example/e.png">'
    shell.write('report.html', html(body))
    shell.write('css/a.css', '@import "b.css"; p { background: url(../pics/bg.png) }')
    shell.write('css/b.css', 'p { color: red }')
    for (const name of ['a b', 'bg', 'c', 'd', 'unused']) shell.write(`pics/${name}.png`, png())
    shell.write('data.csv', 'a,b')
    shell.write('frames/chart.html', `${html('chart')}<script src="chart.js"></script>`)
    shell.write('frames/chart.js', 'x')
    shell.write('other.html', html('other'))
    const { code, stdout, stderr } = await shell.run('publish', 'report.html')
    expect(code, stderr).toBe(0)
    expect(stderr).toContain(
      'With it: frames/chart.html, css/a.css, pics/a b.png, pics/c.png, pics/d.png, data.csv, ' +
        'css/b.css, pics/bg.png, frames/chart.js.\n',
    )
    const page = await shell.json<Page>('get', 'report.html')
    expect(page).toMatchObject({ kind: 'bundle', entry_path: 'report.html', file_count: 2 })
    const open = (path: string) => visitor.open(`${page.slug}/${path}`)
    expect((await open('report.html')).text).toContain('a%20b.png')
    expect((await open('pics/a%20b.png')).status).toBe(200)
    for (const path of ['other.html', 'pics/unused.png']) {
      expect((await open(path)).status, path).toBe(404)
    }
    expect(await shell.line('publish', 'report.html')).toBe(stdout.trim())
    await shell.line('pull', 'report.html', 'pulled')
    expect(shell.read('pulled/report.html')).toBe(html(body))
    expect(shell.read('pulled/css/b.css')).toBe('p { color: red }')
    expect(await shell.line('publish', 'pulled')).toBe(stdout.trim())
    const same = await pro.page(page.id)
    expect([same.entry_path, same.size_bytes]).toEqual(['report.html', page.size_bytes])
  },
  SLOW,
)

test(
  'a page takes along what its scripts load by an address that is written out',
  async () => {
    const shell = shellOf()
    const inline =
      "import { draw } from './js/draw.js'; fetch('data/rain.json'); " +
      "new Worker('js/work.js'); d3.csv(`data/sun.csv`);"
    shell.write('chart.html', html(`<script type="module">${inline}</script>`))
    shell.write('js/draw.js', 'export * from \'./colours.mjs\'; fetch("data/wind.json")')
    shell.write('js/colours.mjs', 'export const blue = 1')
    shell.write('js/work.js', "importScripts('sum.js')")
    for (const path of ['js/sum.js', 'data/unused.json']) shell.write(path, 'x')
    for (const name of ['rain.json', 'wind.json', 'sun.csv']) shell.write(`data/${name}`, '[]')
    const { code, stderr } = await shell.run('publish', 'chart.html')
    expect(code, stderr).toBe(0)
    expect(stderr).toContain(
      'With it: js/draw.js, data/rain.json, js/work.js, data/sun.csv, js/colours.mjs, ' +
        'data/wind.json, js/sum.js.\n',
    )
    expect(stderr).not.toContain('Warning')
  },
  SLOW,
)

test(
  'a workbook that Excel has saved takes along all of its sheets',
  async () => {
    const shell = shellOf()
    const sheet = (number: number) => `Book_files/sheet00${number}.htm`
    const link = (number: number) => `<link id="shLink" href="${sheet(number)}">\n`
    const frames = `<frameset><frame src="${sheet(1)}" name="frSheet"></frameset>`
    shell.write('Book.htm', `${link(1)}${link(2)}<link id="shLink">${frames}`)
    for (const number of [1, 2, 3]) shell.write(sheet(number), html(`Sheet ${number}`))
    const { stderr } = await shell.run('publish', 'Book.htm')
    expect(stderr).toContain(`With it: ${sheet(1)}, ${sheet(2)}.\n`)
  },
  SLOW,
)

test(
  'a page takes nothing along from outside of its folder, no hidden file, and says so',
  async () => {
    const shell = shellOf()
    const secret = word('secret')
    writeFileSync(join(dirname(shell.folder), 'outside.png'), secret)
    shell.write('a/.env', secret)
    shell.write('a/.git/config', secret)
    shell.write('a/node_modules/x.css', secret)
    shell.write('beside.png', secret)
    shell.write('outside.png', secret)
    shell.write('a/kept.png', png())
    symlinkSync('../../outside.png', join(shell.folder, 'a/link.png'))
    symlinkSync('.env', join(shell.folder, 'a/env.png'))
    symlinkSync('..', join(shell.folder, 'a/up'))
    const references = [
      ...['kept.png', '.env', '.git/config', 'node_modules/x.css', 'link.png', 'env.png'],
      ...['../beside.png', '../../outside.png', '%2e%2e/beside.png', '%2e%2e%2fbeside.png'],
      ...['..\\beside.png', 'up/beside.png', 'x/%2e%2e%2f%2e%2e%2fbeside.png', '/etc/passwd'],
      ...['/../beside.png', 'file:///etc/passwd', '\0', 'kept.png/x', 'x'.repeat(5000)],
    ]
    const images = references.map((each) => `<img src="${each}">`).join('')
    shell.write('a/page.html', html(images))
    const { code, stdout, stderr } = await shell.run('publish', 'a/page.html')
    expect(code, stderr).toBe(0)
    const uses = 'Left out, but page.html uses it: '
    expect(stderr.split('\n').filter((line) => /^With|^Left/.test(line))).toEqual([
      'With it: kept.png.',
      `${uses}.env (its name starts with a dot).`,
      `${uses}.git/config (its name starts with a dot).`,
      `${uses}node_modules/x.css (it belongs to tools).`,
      `${uses}link.png (it links out of the folder).`,
      `${uses}env.png (it links to a file whose name starts with a dot).`,
      `${uses}../beside.png (it is outside of the folder of the page).`,
      `${uses}up/beside.png (it links out of the folder).`,
      'Left out ../../outside.png: it is outside of the folder of the page.',
    ])
    const { id } = await shell.json<Page>('get', stdout.trim())
    const { files } = dataOf<{ files: { path: string }[] }>(
      await pro.call('GET', `/pages/${id}/files`),
    )
    expect(files.map(({ path }) => path).sort()).toEqual(['kept.png', 'page.html'])
  },
  SLOW,
)

test(
  'Markdown takes its images along, stays the source, and comes back by pull',
  async () => {
    const shell = shellOf()
    const text = '# Plan\n\n![A](<pics/a 1.png>) ![B][b] [Next](next.md)\n\n[b]: pics/b.png\n'
    shell.write('plan.md', text)
    shell.write('pics/a 1.png', png())
    shell.write('pics/b.png', png())
    shell.write('next.md', '# Next')
    const { stderr, stdout } = await shell.run('publish', 'plan.md')
    expect(stderr).toContain('With it: pics/a 1.png, pics/b.png.\n')
    const { slug } = await shell.json<Page>('get', 'plan.md')
    expect((await visitor.open(`${slug}/plan.html`)).text).toContain('<h1 id="plan">Plan</h1>')
    expect((await visitor.open(`${slug}/pics/b.png`)).status).toBe(200)
    expect((await visitor.open(`${slug}/next.html`)).status).toBe(404)
    await shell.line('pull', 'plan.md', 'pulled')
    expect(shell.read('pulled/plan.md')).toBe(text)
    expect(existsSync(join(shell.folder, 'pulled/plan.html'))).toBe(false)
    expect(await shell.line('publish', 'pulled')).toBe(stdout.trim())
  },
  SLOW,
)

test(
  'one file replaces no deck of several pages, and no PDF',
  async () => {
    const shell = shellOf()
    shell.write('a.html', html('x'))
    shell.write('site/index.html', html('x'))
    shell.write('site/two.html', html('two'))
    shell.write('plan.pdf', pdf())
    for (const path of ['site', 'plan.pdf']) {
      const url = await shell.line('publish', path)
      const { code, stderr } = await shell.run('update', url, 'a.html')
      expect([code, stderr]).toEqual([1, expect.stringMatching(/\(wrong_kind\)/)])
    }
  },
  SLOW,
)
