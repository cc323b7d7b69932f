import { expect, it } from 'bun:test'
import { testApp } from '../../testing/app.ts'
import { PDF, viewsOf } from '../../testing/views.ts'

const MARKDOWN = { accept: 'text/markdown, text/html;q=0.9, */*;q=0.1' }
const PAGE =
  '<!doctype html><title>Plan "B"</title><style>b{color:red}</style><h1>Plan</h1>' +
  '<p>Read <a href="/more">more</a> and <a href="javascript:alert(1)">less</a>.' +
  '<img alt="Chart" src="data:image/png;base64,AAAA"><script>alert(2)</script>' +
  '<table><tr><th>Name<th>Sum<tr><td>A<td>1</table>'

it('a page answers with Markdown to a program that names it, and counts the view', async () => {
  await using app = await testApp('sqlite')
  const owner = await app.owner()
  const page = await owner.publish(PAGE)
  const answer = await app.open(`/p/${page.slug}`, MARKDOWN)
  const text = await answer.text()
  const url = text.match(/^url: "(.*)"$/m)![1]!
  expect(new URL(url).pathname).toBe(`/p/${page.slug}`)
  expect(text).toBe(
    `---\ntitle: "Plan \\"B\\""\nurl: "${url}"\n---\n\n# Plan\n\nRead ` +
      `[more](${new URL('/more', url)}) and less.![Chart]()\n\n` +
      '| Name | Sum |\n| --- | --- |\n| A | 1 |\n',
  )
  expect(await viewsOf(owner, page)).toBe(1)
  const { headers } = answer
  expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(headers.get('content-security-policy')).toStartWith('sandbox ')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('vary')).toBe('accept, accept-encoding')
  const html = await app.open(`/p/${page.slug}`, { accept: '*/*' })
  expect(html.headers.get('vary')).toStartWith('accept')
  expect(html.headers.get('etag')).not.toBe(headers.get('etag'))
  const held = { ...MARKDOWN, 'if-none-match': headers.get('etag')! }
  const again = await app.open(`/p/${page.slug}`, held)
  expect([again.status, await again.text()]).toEqual([304, ''])
  expect(await viewsOf(owner, page)).toBe(3)
  const head = await app.open(`/p/${page.slug}`, MARKDOWN, 'HEAD')
  expect([head.status, head.headers.get('etag')]).toEqual([200, headers.get('etag')])
  expect(await viewsOf(owner, page)).toBe(3)
})

it('what does not name Markdown, or prefers HTML, gets the page', async () => {
  await using app = await testApp('sqlite')
  const { slug } = await (await app.owner()).publish(PAGE)
  const typeFor = async (accept: string) => {
    const answer = await app.open(`/p/${slug}`, { accept })
    return answer.headers.get('content-type')!.split(';')[0]
  }
  const asHtml = [
    ...['*/*', 'text/*', 'text/html,application/xhtml+xml,*/*;q=0.8', 'text/plain'],
    ...['text/markdown;q=0', 'text/html, text/markdown;q=0.9', 'text/markdown;q=0.5, */*'],
    ...['text/markdown;q=2', 'text/markdownx', ''],
  ]
  for (const accept of asHtml)
    expect([accept, await typeFor(accept)]).toEqual([accept, 'text/html'])
  const asMarkdown = [
    ...['text/markdown', 'Text/Markdown;q=0.1', 'text/markdown, text/html, */*'],
    ...['text/html;q=0.5,text/markdown; variant=GFM; q=0.5', 'text/html;q=0, text/markdown, */*'],
  ]
  for (const accept of asMarkdown) {
    expect([accept, await typeFor(accept)]).toEqual([accept, 'text/markdown'])
  }
})

it('a limit gives exactly its number of views, whatever they are answered with', async () => {
  await using app = await testApp('sqlite')
  const owner = await app.owner()
  const { slug } = await owner.publish({ html: PAGE, max_views: 2 })
  const all = [1, 2, 3, 4].map(() => app.open(`/p/${slug}`, MARKDOWN))
  const statuses = (await Promise.all(all)).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, 200, 410, 410])
  expect(await (await app.open(`/p/${slug}`, MARKDOWN)).text()).not.toContain('Chart')
})

it('a gate answers as it does for HTML', async () => {
  await using app = await testApp('sqlite')
  const owner = await app.owner()
  for (const settings of [{ access: 'password', password: 'abcd' }, { access: 'email_gate' }]) {
    const page = await owner.publish({ html: PAGE, ...settings })
    const { slug } = page
    const [asked, plain] = await Promise.all([
      app.open(`/p/${slug}`, MARKDOWN),
      app.open(`/p/${slug}`, { accept: 'text/html' }),
    ])
    expect([asked.status, plain.status]).toEqual([403, 403])
    expect(await asked.text()).not.toContain('Chart')
    expect(await viewsOf(owner, page)).toBe(0)
  }
})

it('a document of a deck is converted at its address, and other files stay as they are', async () => {
  await using app = await testApp('sqlite')
  const owner = await app.owner()
  const files = [
    { path: 'index.html', html: '<title>One</title><a href="part/two.html">Two</a>' },
    { path: 'part/two.html', html: '<title>Two</title><a href="../index.html">Back</a>' },
  ]
  const { slug } = await owner.publish({ files })
  const two = await app.open(`/p/${slug}/part/two.html`, MARKDOWN)
  expect(await two.text()).toMatch(new RegExp(`\\[Back\\]\\(http.*/p/${slug}/index.html\\)`))
  const { slug: pdf } = await owner.publish(PDF())
  const file = await app.open(`/p/${pdf}`, { accept: 'text/markdown' })
  expect(file.headers.get('content-type')).toBe('application/pdf')
})

it('a page made of Markdown answers with its own source, without its front matter', async () => {
  await using app = await testApp('sqlite')
  const owner = await app.owner()
  const text = '# Plan\n\n*  One[^1]\n\n[^1]: __Note__, $x^2$\n'
  const markdown = `---\ntitle: Our plan\nreviewer: ann@example.com\n---\n${text}`
  const page = await owner.publish({ markdown, password: 'abcd', access: 'password' })
  const gate = await app.open(`/p/${page.slug}`, MARKDOWN)
  expect([gate.status, await gate.text()]).toEqual([403, expect.not.stringContaining('One')])
  await owner.update(page.id, { access: 'link', max_views: 2 })
  const answer = await app.open(`/p/${page.slug}`, MARKDOWN)
  const content = await answer.text()
  expect(content).toEndWith(`/p/${page.slug}"\n---\n\n${text}`)
  expect(content).toStartWith('---\ntitle: "Our plan"\nurl: ')
  expect(content).not.toContain('reviewer')
  expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(answer.headers.get('content-security-policy')).toStartWith('sandbox ')
  expect(await viewsOf(owner, page)).toBe(1)
  await app.open(`/p/${page.slug}`, MARKDOWN)
  expect((await app.open(`/p/${page.slug}`, MARKDOWN)).status).toBe(410)
})

it('the draft and what a page of Markdown does not show are in no answer', async () => {
  await using app = await testApp('sqlite')
  const owner = await app.owner()
  const hidden = '# Plan\n\n<!-- ask Ann -->\n\n*  One\n\n[//]: # (nor Bob)\n'
  const page = await owner.publish({ markdown: hidden })
  const text = await (await app.open(`/p/${page.slug}`, MARKDOWN)).text()
  expect(text).toContain('# Plan\n\n- One')
  expect(text).not.toMatch(/Ann|Bob/)
  await owner.update(page.id, { markdown: '# Draft' })
  expect(await (await app.open(`/p/${page.slug}`, MARKDOWN)).text()).toBe(text)
})

it('links of a deck of Markdown lead to its pages in its Markdown, too', async () => {
  await using app = await testApp('sqlite')
  const owner = await app.owner()
  const files = [
    { path: 'README.md', markdown: '# Home\n\n*  [One](docs/one.md#a)' },
    { path: 'docs/one.md', markdown: '# One\n\n*  [Home](../README.md)' },
  ]
  const { slug } = await owner.publish({ files })
  const at = async (path: string) => (await app.open(`/p/${slug}/${path}`, MARKDOWN)).text()
  expect(await at('index.html')).toEndWith('# Home\n\n*  [One](docs/one.html#a)')
  expect(await at('docs/one.html')).toEndWith('# One\n\n*  [Home](../index.html)')
})

it('what cannot be converted is refused with a reason, and uses up no view', async () => {
  await using app = await testApp('sqlite')
  const owner = await app.owner()
  const base = `<base href="https://e.example/${'x'.repeat(900)}/">`
  const html = `<!doctype html><title>Long</title>${base}${'<a href=y>z</a>'.repeat(20_000)}`
  const page = await owner.publish({ html, max_views: 1 })
  const { slug } = page
  const answer = await app.open(`/p/${slug}`, MARKDOWN)
  expect([answer.status, answer.headers.get('vary')]).toEqual([406, 'accept'])
  expect(await answer.text()).toContain('too large or too complex')
  expect(await viewsOf(owner, page)).toBe(0)
  expect((await app.open(`/p/${slug}`)).status).toBe(200)
})
