/** A deck with a view limit, whose documents are given once for each address of the frame. */
import { becomes, framed } from './browser.ts'
import { pro } from './client.ts'
import { type Promised, textOf } from './isolation-visitor.ts'

const INDEX = `<h1 id=first>first</h1><a id=go href="two.html">two</a>
<iframe id=part name=part src="part.html"></iframe><a id=other href="other.html" target=part>other</a>
<a id=back href="part.html" target=part>part</a><button id=again>again</button>
<script>again.onclick = () => location.reload()</script>`
const DECK = {
  files: [
    { path: 'index.html', html: INDEX },
    { path: 'two.html', html: '<h1 id=second>second</h1><a id=home href="index.html">home</a>' },
    { path: 'part.html', html: '<b>part</b>' },
    { path: 'other.html', html: '<b>other</b>' },
  ],
}

export const LIMITED: Promised = {
  'the last view of a deck moves, goes back and reloads, and is one view': async (meet) => {
    const { tab } = await meet()
    const page = await pro.publish({ ...DECK, max_views: 1 })
    await tab.goto(page.url)
    let frame = await framed(tab, '#first')
    const part = async () => {
      const nested = tab.frames().find((other) => other.parentFrame()?.parentFrame() != null)
      return nested === undefined ? null : await textOf(nested, 'b').catch(() => null)
    }
    await becomes(part, 'part')
    for (const [link, text] of [
      ['#other', 'other'],
      ['#back', 'part'],
      ['#other', 'other'],
    ] as const) {
      await frame.locator(link).click()
      await becomes(part, text)
    }
    await frame.evaluate('window.isOld = true')
    await frame.locator('#again').click()
    await becomes(async () => (await framed(tab, '#first')).evaluate('window.isOld ?? null'), null)
    frame = await framed(tab, '#first')
    await frame.locator('#go').click()
    await framed(tab, '#second')
    await becomes(async () => tab.url(), `${page.url}/two.html`)
    await tab.evaluate('history.back()')
    await framed(tab, '#first')
    await tab.reload()
    await framed(tab, '#first')
    await becomes(async () => (await pro.page(page.id)).views, 1)
  },
}
