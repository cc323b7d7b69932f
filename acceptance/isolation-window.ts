/** What a page in the shell does as in a window of its own, in any browser. */
import { expect } from 'bun:test'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { becomes, framed } from './browser.ts'
import { pro } from './client.ts'
import type { Promised, Tab, Visitor } from './isolation-visitor.ts'

const STORES = '<script>localStorage.x = 1</script>'

async function opened({ tab }: Visitor, html: string) {
  const page = await pro.publish({ html: html + STORES })
  await tab.goto(page.url)
  return { page, frame: await framed(tab, 'body') }
}

async function printed(tab: Tab): Promise<string[]> {
  const data = new Uint8Array(await tab.pdf({ width: '1000px', height: '1000px' }))
  const pdf = await getDocument({ data }).promise
  const sheets: string[] = []
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    sheets.push(items.map((item) => ('str' in item ? item.str : '')).join(' '))
  }
  return sheets
}

export const WINDOW: Promised = {
  'keys scroll the page and reach it from the start, and the browser keeps its own': async (
    meet,
  ) => {
    const visitor = await meet()
    const { frame } = await opened(
      visitor,
      `<body><p>sought</p><div style="height:5000px"></div><script>window.kept = []
addEventListener('keydown', (e) => setTimeout(() => { if (e.defaultPrevented) kept.push(e.key) }))
</script>`,
    )
    const { keyboard } = visitor.tab
    await becomes(() => frame.evaluate('document.hasFocus()'), true)
    for (const key of [' ', 'PageDown', 'ArrowDown']) {
      const before = Number(await frame.evaluate('scrollY'))
      await keyboard.press(key)
      await becomes(async () => Number(await frame.evaluate('scrollY')) > before, true)
    }
    await keyboard.down('Control')
    for (const key of ['f', 'g', 'a', 'c', '+', '0']) await keyboard.press(key)
    await keyboard.up('Control')
    expect(await frame.evaluate('new Promise((done) => setTimeout(() => done(kept), 50))')).toEqual(
      [],
    )
  },

  'an element is shown on the whole screen': async (meet) => {
    const visitor = await meet()
    const { frame } = await opened(
      visitor,
      `<div id=all>all</div><button id=go>go</button><script>
go.onclick = () => all.requestFullscreen().catch((e) => { window.refused = String(e) })</script>`,
    )
    await frame.locator('#go').click()
    await becomes(() => frame.evaluate('window.refused ?? document.fullscreenElement?.id'), 'all')
    await frame.evaluate('document.exitFullscreen()')
  },

  'printing prints all of the page': async (meet) => {
    const visitor = await meet()
    const sheets = Array.from({ length: 5 }, (_, index) => `<p>sheet ${index}</p>`)
    const { frame } = await opened(
      visitor,
      `<style>body{margin:0}p{height:1000px;margin:0}</style>${sheets.join('')}`,
    )
    await becomes(() => frame.evaluate('document.documentElement.scrollHeight'), 5000)
    await becomes(
      () =>
        visitor.tab.evaluate(`document.documentElement.style.getPropertyValue('--page-height')`),
      '5000px',
    )
    const text = (await printed(visitor.tab)).join(' ')
    for (const index of [0, 1, 2, 3, 4]) expect(text).toContain(`sheet ${index}`)
  },
}
