/** What pages can do, in the shell and served directly, in any browser. */
import { expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { becomes, framed } from './browser.ts'
import { type Page, pro } from './client.ts'
import { type Promised, textOf, unlock, type View } from './isolation-visitor.ts'
import { base64 } from './material.ts'
import { report } from './responses/viewer.ts'

const PASSWORD = 'open sesame'

const FONT = join(
  ...[import.meta.dir, '../node_modules/@fontsource-variable/newsreader/files'],
  'newsreader-latin-wght-normal.woff2',
)
const DECK_START = `<!doctype html><html><head><title>Deck</title>
<link rel=stylesheet href="css/deck.css"></head><body>
<p id=styled>styled</p><p id=data></p><p id=module></p><p id=stored></p>
<a id=root href="/team.html">team</a><iframe src="parts/inner.html"></iframe>
<script type=module src="js/main.js"></script>
<script>fetch('data.json').then((r) => r.json()).then((d) => { document.querySelector('#data').textContent = d.n })
document.fonts.load('20px Deck').then((f) => { document.body.dataset.fonts = f.length })
</script></body></html>`

function gatedDeck(): Promise<Page> {
  return pro.publish({
    access: 'password',
    password: PASSWORD,
    files: [
      { path: 'index.html', html: DECK_START },
      { path: 'team.html', html: '<title>Team</title><p id=team>team</p>' },
      { path: 'parts/inner.html', html: '<p id=inner>inner</p><img id=i src="../img.svg">' },
    ],
    assets: [
      ['css/deck.css', '@import "more.css";@font-face{font-family:Deck;src:url(../deck.woff2)}'],
      ['css/more.css', '#styled{color:rgb(1, 2, 3)}'],
      [
        'js/main.js',
        `import { n } from './lib/n.js'\ndocument.querySelector('#module').textContent = n`,
      ],
      ['js/lib/n.js', `import { m } from '../m.js'\nexport const n = 'n' + m`],
      ['js/m.js', `export const m = (await import('./late.js')).late`],
      ['js/late.js', `export const late = 'late'`],
      ['data.json', '{"n":"data"}'],
      ['img.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
      ['deck.woff2', readFileSync(FONT)],
    ].map(([path, data]) => ({ path, data_base64: base64(data!) })),
  })
}

const STORING = `<!doctype html><title>Storing</title><p id=stored></p><script>
localStorage.setItem('visits', Number(localStorage.getItem('visits') ?? 0) + 1)
sessionStorage.step = Number(sessionStorage.step ?? 0) + 1
if (!document.cookie) document.cookie = 'seen=yes; max-age=3600; path=/'
stored.textContent = [localStorage.visits, sessionStorage.step, document.cookie].join()
</script>`

const FORM = `<!doctype html><title>Survey</title>
<form data-service data-success="Thank you."><label>Name <input name="name"></label>
<label>Seats <input type="number" name="seats" value="2"></label><button>Book</button></form>`

async function sendForm(view: View, page: Page): Promise<void> {
  await view.locator('[name=name]').fill('Ann')
  await view.locator('button').click()
  const stateOf = () => view.evaluate(`document.querySelector('form').dataset.state`)
  await becomes(stateOf, 'sent')
  expect(await textOf(view, '[data-service-message]')).toBe('Thank you.')
  const { responses } = await report(pro, page)
  expect(responses.map(({ data }) => data)).toEqual([{ name: 'Ann', seats: 2 }])
}

export const WHOLE: Promised = {
  'a gated deck works whole: styles, fonts, modules, data, frames and links from the root': async (
    meet,
  ) => {
    const page = await gatedDeck()
    const visitor = await meet()
    const { tab, problems } = visitor
    await unlock(visitor, page.url, PASSWORD)
    const frame = await framed(tab, '#styled')
    await becomes(() => textOf(frame, '#module'), 'nlate')
    await becomes(() => textOf(frame, '#data'), 'data')
    await becomes(() => frame.evaluate('document.body.dataset.fonts'), '1')
    const color = await frame.evaluate(`getComputedStyle(document.querySelector('#styled')).color`)
    expect(color).toBe('rgb(1, 2, 3)')
    const inner = tab.frames().find((child) => child.parentFrame() === frame)!
    await becomes(() => textOf(inner, '#inner'), 'inner')
    await becomes(() => inner.evaluate('document.images[0].naturalWidth'), 9)
    await frame.locator('#root').click()
    await becomes(() => tab.url(), `${new URL(page.url).origin}/p/${page.slug}/team.html`)
    await framed(tab, '#team')
    await becomes(() => tab.title(), 'Team')
    expect(problems).toEqual([])
    expect((await pro.page(page.id)).views).toBe(1)
  },

  'a page that uses storage runs without errors, and finds its data after a reload': async (
    meet,
  ) => {
    const page = await pro.publish({ html: STORING })
    const { tab, problems } = await meet()
    await tab.goto(page.url)
    const stored = async () => textOf(await framed(tab, '#stored'), '#stored')
    await becomes(stored, '1,1,seen=yes')
    await Bun.sleep(150)
    await tab.reload()
    await becomes(stored, '2,2,seen=yes')
    expect(problems).toEqual([])
    const other = await meet()
    await other.tab.goto(page.url)
    const elsewhere = async () => textOf(await framed(other.tab, '#stored'), '#stored')
    await becomes(elsewhere, '1,1,seen=yes')
  },

  'a form is collected on a page served directly': async (meet) => {
    const page = await pro.publish({ html: FORM })
    const { tab, problems } = await meet()
    await tab.goto(page.url)
    expect(tab.frames()).toHaveLength(1)
    await sendForm(tab, page)
    expect(problems).toEqual([])
  },

  'a gated single page is served directly: it collects, and can be reloaded': async (meet) => {
    const page = await pro.publish({ html: FORM, access: 'password', password: PASSWORD })
    const visitor = await meet()
    const { tab, problems } = visitor
    await unlock(visitor, page.url, PASSWORD)
    await becomes(() => textOf(tab, 'button'), 'Book')
    expect([tab.url(), tab.frames().length]).toEqual([page.url, 1])
    await sendForm(tab, page)
    await tab.reload()
    await becomes(() => textOf(tab, 'button'), 'Book')
    expect(problems).toEqual([])
    expect((await pro.page(page.id)).views).toBe(2)
  },

  'a form is collected in the shell, whose token the page never sees': async (meet) => {
    const page = await pro.publish({ html: `${FORM}<script>localStorage.seen = 1</script>` })
    const { tab, problems } = await meet()
    await tab.goto(page.url)
    const frame = await framed(tab, 'form')
    await sendForm(frame, page)
    expect(await frame.content()).not.toContain('data-token')
    expect(problems).toEqual([])
  },
}
