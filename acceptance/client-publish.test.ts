import { expect, test } from 'bun:test'
import { chmodSync, existsSync } from 'node:fs'
import { DEFAULT_PLANS } from '../src/model/plan.ts'
import { type Page, pro, visitor } from './client.ts'
import { shellOf, slugOf } from './client-shell.ts'
import { html, htmlOfSize, pdf, pdfOfSize, png, word } from './material.ts'
import { server } from './server.ts'

const SLOW = 240_000

const OPEN = 'Open to anyone with the link.\n'

test(
  'publish prints only the link if piped, and on stderr who can open it; its source is `cli`',
  async () => {
    const shell = shellOf()
    const document = html(word())
    shell.write('report.html', document)
    const { code, stdout, stderr } = await shell.run('publish', 'report.html')
    expect({ code, stderr }).toEqual({ code: 0, stderr: OPEN })
    expect(stdout).toMatch(new RegExp(`^${server.url}/p/[a-z0-9]{12}\n$`))
    expect((await visitor.open(slugOf(stdout.trim()))).text).toBe(document)
    expect((await shell.json<Page>('get', 'report.html')).source).toBe('cli')
  },
  SLOW,
)

test(
  'settings of a change are wrong usage for a new page, of which nothing is sent',
  async () => {
    const shell = shellOf()
    shell.write('new.html', html(word()))
    for (const flags of [['--autosave'], ['--addresses', 'cmt_none', '--new']]) {
      const { code, stdout, stderr } = await shell.run('publish', 'new.html', ...flags)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toBe(
        `handbill: ${flags[0]} changes a page, and this would be a new one: leave it out. ` +
          'See handbill publish --help.\n',
      )
    }
    await shell.line('publish', 'new.html')
    expect((await shell.run('publish', 'new.html', '--autosave')).code).toBe(0)
  },
  SLOW,
)

test(
  'publishing again updates the same page, with the given settings',
  async () => {
    const shell = shellOf()
    shell.write('report.html', html('one'))
    const url = await shell.line('publish', 'report.html')
    const changed = html('two')
    shell.write('report.html', changed)
    const title = word('Title')
    expect(await shell.line('publish', 'report.html', '--title', title, '--max-views', '7')).toBe(
      url,
    )
    expect((await visitor.open(slugOf(url))).text).toBe(changed)
    const page = await shell.json<Page>('get', 'report.html')
    expect(page).toMatchObject({ title, max_views: 7, has_unpublished_changes: false })
    const memory = JSON.parse(shell.read('.handbill.json'))
    expect(memory).toEqual({ [server.url]: { 'report.html': { id: page.id, url } } })
    expect(shell.read('.handbill.json')).not.toContain('sm_')
  },
  SLOW,
)

test(
  '--new makes another page; --draft publishes nothing',
  async () => {
    const shell = shellOf()
    shell.write('a.html', html('one'))
    const first = await shell.line('publish', 'a.html')
    const second = await shell.line('publish', 'a.html', '--new')
    expect(second).not.toBe(first)
    shell.write('a.html', html('unseen'))
    expect(await shell.line('publish', 'a.html', '--draft')).toBe(second)
    const seen = await visitor.open(slugOf(second))
    expect(seen.text).toContain('one')
    expect(seen.text).not.toContain('unseen')
    shell.write('b.html', html('never'))
    const draft = await shell.line('publish', 'b.html', '--draft')
    expect((await visitor.open(slugOf(draft))).status).toBe(404)
  },
  SLOW,
)

test(
  'if the page is deleted, publishing says so and makes a new one',
  async () => {
    const shell = shellOf()
    shell.write('a.html', html('one'))
    const first = await shell.json<Page>('publish', 'a.html')
    expect((await pro.remove(first.id)).status).toBe(204)
    const { code, stdout, stderr } = await shell.run('publish', 'a.html')
    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(/gone/)
    expect(stdout.trim()).not.toBe(first.url)
    expect((await shell.json<Page>('get', 'a.html')).url).toBe(stdout.trim())
  },
  SLOW,
)

test(
  'PDFs, images and standard input are published by their content type',
  async () => {
    const shell = shellOf()
    const document = pdf()
    const picture = png()
    shell.write('Plan.pdf', document)
    const text = html(word())
    const [file, piped, pipedPng] = await Promise.all([
      shell.json<Page>('publish', 'Plan.pdf'),
      shell.runWith({ input: text }, 'publish', '-'),
      shell.runWith({ input: picture }, 'publish', '-', '--json'),
    ])
    expect(file.file).toMatchObject({ name: 'Plan.pdf', mime: 'application/pdf' })
    expect((await visitor.open(file.slug)).bytes).toEqual(document)
    expect((await visitor.open(slugOf(piped.stdout.trim()))).text).toBe(text)
    expect((JSON.parse(pipedPng.stdout) as Page).file).toMatchObject({ mime: 'image/png' })
    const memory = JSON.parse(shell.read('.handbill.json'))
    expect(Object.keys(memory[server.url]), 'standard input is not recorded').toEqual(['Plan.pdf'])
  },
  SLOW,
)

test(
  'several paths make several pages: a line each, or a JSON list',
  async () => {
    const shell = shellOf()
    shell.write('a.html', html('a'))
    shell.write('sub/b.html', html('b'))
    const { stdout } = await shell.run('publish', 'a.html', 'sub/b.html')
    const urls = stdout.trim().split('\n')
    expect(new Set(urls).size).toBe(2)
    expect(existsSync(`${shell.folder}/sub/.handbill.json`)).toBe(true)
    const pages = await shell.json<Page[]>('publish', 'a.html', 'sub/b.html')
    expect(pages.map(({ url }) => url)).toEqual(urls)
    const titled = await shell.run('publish', 'a.html', 'sub/b.html', '--title', 'x')
    expect(titled.code).toBe(2)
  },
  SLOW,
)

test(
  'content over the limit of a request body is uploaded first',
  async () => {
    const shell = shellOf()
    const large = htmlOfSize(6_000_000, word())
    const report = pdfOfSize(5_500_000)
    shell.write('large.html', large)
    shell.write('report.pdf', report)
    const { code, stdout, stderr } = await shell.run('publish', 'large.html', 'report.pdf')
    expect({ code, stderr }).toEqual({ code: 0, stderr: OPEN + OPEN })
    const [page = '', file = ''] = stdout.trim().split('\n')
    expect((await visitor.open(slugOf(page))).text).toBe(large)
    expect((await visitor.open(slugOf(file))).bytes).toEqual(report)
    const changed = htmlOfSize(6_100_000, word())
    shell.write('large.html', changed)
    expect(await shell.line('publish', 'large.html')).toBe(page)
    expect((await visitor.open(slugOf(page))).text).toBe(changed)
  },
  SLOW,
)

test(
  'HTML in another encoding is decoded by its own declaration',
  async () => {
    const shell = shellOf()
    const latin = Buffer.from('<!doctype html><meta charset="iso-8859-1"><p>caf\xe9', 'latin1')
    shell.write('latin.html', latin)
    const url = await shell.line('publish', 'latin.html')
    expect((await visitor.open(slugOf(url))).text).toContain('café')
    const marked = `\ufeff${html(word())}`
    shell.write('marked.html', marked)
    const { id } = await shell.json<Page>('publish', 'marked.html')
    expect(await pro.draft(id), 'the byte order mark is part of the content').toBe(marked)
  },
  SLOW,
)

test(
  '--password, --access and --email set the access',
  async () => {
    const shell = shellOf()
    shell.write('a.html', html('inside'))
    const page = await shell.json<Page>('publish', 'a.html', '--password', 'four short words')
    expect(page).toMatchObject({ access: 'password', password: 'four short words' })
    const { stdout, stderr } = await shell.run('publish', 'a.html', '--new', '--access', 'password')
    expect(stdout).not.toContain('Password')
    const generated = /^Open to anyone with the password\.\nPassword: \S+\n$/
    expect(stderr).toMatch(generated)
    const replaced = await shell.run('update', 'a.html', '--password', '')
    expect(replaced.stderr, 'an empty one asks for a generated one').toMatch(generated)
    const invited = await shell.json<Page>(
      ...['publish', 'a.html', '--email', 'Ann@Example.com,ben@example.com'],
      ...['--email', 'cy@example.com', '--no-indexed', '--new'],
    )
    expect(invited.access).toBe('people')
    expect(invited.allowed_emails).toEqual(['ann@example.com', 'ben@example.com', 'cy@example.com'])
    for (const { slug } of [page, invited]) {
      const seen = await visitor.open(slug)
      expect(seen.status).toBe(403)
      expect(seen.text).not.toContain('inside')
    }
  },
  SLOW,
)

test(
  'a password with another access is refused, and settings without effect are said',
  async () => {
    const shell = shellOf()
    shell.write('a.html', html('inside'))
    for (const words of [
      ['publish', 'a.html', '--password', 'four short words', '--access', 'link'],
      ['update', 'a.html', '--access', 'private', '--password', 'four short words'],
    ]) {
      const { code, stdout, stderr } = await shell.run(...words)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain('--password closes a page with --access password, not ')
    }
    const open = await shell.run(
      'publish',
      'a.html',
      '--email',
      'ann@example.com',
      '--access',
      'link',
    )
    expect(open.stdout).toMatch(/^http\S+\n$/)
    expect(open.stderr).toBe(
      `${OPEN}Warning: allowed_emails has no effect while access is link: set access to people.\n`,
    )
    const again = await shell.run('update', 'a.html', '--allowed-domains', 'example.com')
    expect(again.stderr).toMatch(/^Open to anyone .+\nWarning: allowed_domains has no effect .+\n$/)
    const closed = await shell.run('update', 'a.html', '--password', 'four short words')
    expect(closed.stderr).toBe('Open to anyone with the password.\n')
    const offline = await shell.run('unpublish', 'a.html', '--json')
    expect(offline.stderr).toBe('Open to nobody: it is not published.\n')
    expect(JSON.parse(offline.stdout)).toMatchObject({
      ...{ is_published: false, state: 'draft', open_to: 'nobody: it is not published' },
    })
  },
  SLOW,
)

test(
  '--expires takes a duration, and an empty text removes it',
  async () => {
    const shell = shellOf()
    shell.write('a.html', html('x'))
    const page = await shell.json<Page>('publish', 'a.html', '--expires', '7d')
    const days = (Date.parse(page.expires_at!) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(6.9)
    expect(days).toBeLessThan(7.1)
    const freed = await shell.json<Page>('update', 'a.html', '--expires', '')
    expect(freed.expires_at).toBeNull()
  },
  SLOW,
)

test(
  'a refusal is one line with its code, and no page is recorded',
  async () => {
    const shell = shellOf(server.keys.free)
    shell.write('a.html', html('x'))
    const { code, stdout, stderr } = await shell.run('publish', 'a.html', '--max-views', '3')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^handbill: .+ \(plan_required\)\n$/)
    expect(existsSync(`${shell.folder}/.handbill.json`)).toBe(false)
  },
  SLOW,
)

test(
  'a file of another type is published as a page that shows or offers it',
  async () => {
    const shell = shellOf()
    shell.write('sums.csv', 'Name;Sum\nAnn;1,5\n')
    shell.write('model.unknown', 'PK\x03\x04\0')
    const table = await shell.line('publish', 'sums.csv')
    expect((await visitor.open(`${slugOf(table)}/index.html`)).text).toContain('<td>1,5</td>')
    expect((await visitor.open(`${slugOf(table)}/sums.csv`)).text).toBe('Name;Sum\nAnn;1,5\n')
    shell.write('sums.csv', 'Name;Sum\nAnn;2,5\n')
    expect(await shell.line('publish', 'sums.csv')).toBe(table)
    const offered = slugOf(await shell.line('publish', 'model.unknown'))
    expect((await visitor.open(`${offered}/index.html`)).text).toContain('download="model.unknown"')
    const file = await visitor.open(`${offered}/model.unknown`)
    expect(file.text).toBe('PK\x03\x04\0')
    expect(file.headers.get('content-disposition')).toStartWith('attachment')
  },
  SLOW,
)

test(
  'a file that cannot be read is named in one line, and makes no page',
  async () => {
    const shell = shellOf()
    shell.write('empty.html', '')
    shell.write('closed.html', html('x'))
    chmodSync(`${shell.folder}/closed.html`, 0)
    const isRoot = process.getuid?.() === 0
    const cases: [path: string, message: RegExp, status?: number][] = [
      ['missing.html', /Cannot read .*missing\.html: it does not exist/, 4],
      ['empty.html', /empty.*\(empty_html\)/],
      ...(isRoot
        ? []
        : [['closed.html', /Cannot read .*closed\.html: you may not/] as [string, RegExp]]),
    ]
    await Promise.all(
      cases.map(async ([path, message, status = 1]) => {
        const { code, stdout, stderr } = await shell.run('publish', path)
        expect({ code, stdout }, path).toEqual({ code: status, stdout: '' })
        expect(stderr).toMatch(message)
        expect(stderr.trim().split('\n')).toHaveLength(1)
      }),
    )
    const piped = await shell.runWith({ input: '' }, 'publish', '-')
    expect(piped.stderr).toMatch(/Standard input is empty/)
    expect(existsSync(`${shell.folder}/.handbill.json`)).toBe(false)
  },
  SLOW,
)

test(
  'an invalid .handbill.json is neither used nor overwritten',
  async () => {
    const shell = shellOf()
    shell.write('a.html', html('x'))
    for (const content of ['{ broken', '[]', '{"http://x": {"a.html": {"id": 7}}}']) {
      shell.write('.handbill.json', content)
      const { code, stdout, stderr } = await shell.run('publish', 'a.html')
      expect({ code, stdout }, content).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/\.handbill\.json is not .+: mend it, or move it away/)
      expect(shell.read('.handbill.json')).toBe(content)
    }
  },
  SLOW,
)

test(
  'an interrupted upload leaves no page and exits with 130',
  async () => {
    const shell = shellOf(server.keys.other)
    shell.write('a.html', html('kept'))
    const url = await shell.line('publish', 'a.html')
    const slow = unresponsiveServer()
    try {
      for (const sizeBytes of [6_000_000, 6_000_001]) {
        shell.write('a.html', htmlOfSize(sizeBytes))
        const child = shell.start(['publish', 'a.html'], { env: { HANDBILL_URL: slow.url } })
        await slow.untilRequested()
        child.kill('SIGINT')
        expect(await child.exited).toBe(130)
        expect(await new Response(child.stdout).text()).toBe('')
      }
    } finally {
      await slow.stop()
    }
    expect(slow.paths.every((path) => path === 'POST /api/v1/uploads')).toBe(true)
    expect(slow.paths.length).toBeGreaterThan(0)
    expect((await visitor.open(slugOf(url))).text).toContain('kept')
  },
  SLOW,
)

/** A server that says what the account may, and never answers otherwise. */
function unresponsiveServer() {
  const paths: string[] = []
  let requested = Promise.withResolvers<void>()
  const listening = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === '/api/v1/account') {
        return Response.json({ data: { plan_name: 'Pro', limits: DEFAULT_PLANS.pro.limits } })
      }
      paths.push(`${request.method} ${pathname}`)
      requested.resolve()
      await new Promise(() => {})
      return new Response()
    },
  })
  return {
    url: `http://127.0.0.1:${listening.port}`,
    paths,
    async untilRequested() {
      await requested.promise
      requested = Promise.withResolvers()
    },
    stop: () => listening.stop(true),
  }
}
