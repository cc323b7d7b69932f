/** Sites as a plain static host serves them: what is mended for the sandbox works in any browser. */
import { expect } from 'bun:test'
import { becomes, framed } from './browser.ts'
import { pro } from './client.ts'
import { deckOf, inBoth, PASSWORD, resultOf } from './isolation-decks.ts'
import { type Promised, unlock } from './isolation-visitor.ts'
import { base64, word } from './material.ts'

const WORKING = {
  'index.html': `<!doctype html><title>Working</title><body id=ready><script>
const said = (start) => new Promise((resolve) => {
  try {
    const worker = start()
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = () => resolve('failed')
    worker.postMessage('ask')
  } catch (error) { resolve(error.name) }
})
Promise.all([
  said(() => new Worker('js/classic.js', { name: 'named' })),
  said(() => new Worker(new URL('js/module.js', location.href), { type: 'module' })),
  said(() => new Worker(URL.createObjectURL(new Blob(['onmessage = () => postMessage("own")'])))),
  said(() => new Worker('js/missing.js')),
]).then((all) => { window.results = all })</script></body>`,
  'js/classic.js': `importScripts('lib/part.js')
onmessage = async ({ data }) => {
  const { loaded } = await (await fetch('../data.json')).json()
  const asked = new XMLHttpRequest()
  asked.open('GET', 'lib/text.txt', false)
  asked.send()
  const inner = new Worker('inner.js')
  inner.onmessage = ({ data: nested }) => {
    const file = location.pathname.replace(/.*[/]/, '')
    postMessage([data, part, loaded, asked.responseText, nested, file, name].join())
  }
}`,
  'js/inner.js': `postMessage('nested')`,
  'js/module.js': `import { part } from './lib/module.js'
onmessage = async ({ data }) => {
  const { loaded } = await (await fetch('../data.json')).json()
  const late = await import('./lib/late.js')
  postMessage([data, part, loaded, late.late, import.meta.url === location.href].join())
}`,
  'js/lib/part.js': `self.part = 'part'`,
  'js/lib/module.js': `export const part = 'module'`,
  'js/lib/late.js': `export const late = 'late'`,
  'js/lib/text.txt': 'text',
  'data.json': '{"loaded":"data"}',
}

const SPRITE = `<svg xmlns="http://www.w3.org/2000/svg"><style>.ink{fill:red}</style>
<symbol id="sun" viewBox="0 0 10 10"><rect class="ink" width="10" height="10"/></symbol>
<symbol id="moon" viewBox="0 0 10 10"><rect width="10" height="5"/></symbol>
<script>parent.reached = top.reached = true</script></svg>`
const DRAWN = {
  'index.html': `<!doctype html><title>Drawn</title><body id=ready>
<svg id=one width=40 height=40><use href="img/icons.svg#sun"></use></svg>
<svg id=two width=40 height=40><use xlink:href="img/icons.svg#moon"></use></svg>
<svg id=old width=40 height=40><use href="#here"></use><g id=here><rect width=4 height=4 /></g></svg>
<p class=ink id=sun>text</p>
<script src="js/later.js"></script></body>`,
  'js/later.js': `const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
svg.setAttribute('id', 'late')
svg.innerHTML = '<g class="x"><use width="10" href="img/icons.svg#moon"></use></g>'
document.body.append(svg)
setTimeout(() => svg.querySelector('use').setAttribute('href', 'img/icons.svg#sun'))`,
  'img/icons.svg': SPRITE,
}
const boxOf = (id: string) =>
  `(() => { const { width, height } = document.querySelector('#${id} use').getBBox()
return width > 0 && height > 0 })()`

const CLASSIC = {
  'index.html': `<!doctype html><title>Classic</title><body id=ready>
<script>window.onerror = (text) => { window.said = text }</script>
<script src="js/classic.js"></script></body>`,
  'js/classic.js': `import('./lib.js').then(({ name }) => {
  window.results = [name, window.said.includes('told')]
})
throw new Error('told')`,
  'js/lib.js': `export const name = 'lib'`,
}

const ASKING = {
  'index.html': `<!doctype html><title>Asking</title><body id=ready><script>
const own = { headers: { 'X-Requested-With': 'XMLHttpRequest' } }
Promise.all([
  fetch('missing.json', own).then(({ status }) => status),
  fetch('data.json', own).then((answer) => answer.json()).then(({ data }) => data),
]).then((all) => { window.results = all })
window.ask = async (page) => {
  const credentials = 'include'
  const attempt = (promise) => promise.then(({ status }) => status, () => 'threw')
  window.asked = [
    await attempt(fetch(page + '/missing.json', { ...own, credentials })),
    await attempt(fetch(page, { ...own, credentials })),
    await attempt(fetch(page, own)),
    await attempt(fetch(page, { method: 'DELETE' })),
  ]
}</script></body>`,
  'data.json': '{"data":"data"}',
}
const ANSWERS = JSON.stringify(Array(4).fill('threw'))

/** It has the storage of our document in the frame, by the name of the document alone. */
const KEEPING = {
  'index.html': `<!doctype html><title>Keeping</title><body id=ready>
<script>const d = document; d.cookie = 'a=1'; window.results = d.cookie</script></body>`,
}

const DATABASE = {
  'index.html': `<!doctype html><title>Database</title><body id=ready><script>
const texts = []
const attempt = async (what) => {
  try { await what(); texts.push('worked') } catch ({ name, message }) { texts.push(name + message) }
}
const inner = document.body.appendChild(document.createElement('iframe'))
attempt(() => indexedDB.open('x')).then(() => attempt(() => indexedDB.deleteDatabase('x')))
  .then(() => attempt(() => indexedDB.databases()))
  .then(() => attempt(() => inner.contentWindow.indexedDB.open('x')))
  .then(() => attempt(() => inner.contentWindow.IDBFactory.prototype.open.call(indexedDB, 'x')))
  .then(() => { window.results = texts.map((text) =>
    text === 'worked' ? text : text.includes('sets CONTENT_URL') ? text.slice(0, 13) : 'threw') })
</script></body>`,
}

/** In workers, also in those that a worker starts. */
const DATABASES = {
  'index.html': `<!doctype html><title>Databases</title><body id=ready><script>
const said = (worker) => new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data) })
Promise.all([
  said(new Worker('outer.js')), said(new Worker('module.js', { type: 'module' })),
]).then((all) => { window.results = all })</script></body>`,
  'outer.js': `new Worker('inner.js').onmessage = ({ data }) => postMessage(data)`,
  'inner.js': `try { indexedDB.open('x') } catch ({ name, message }) {
  postMessage([name, message.includes('sets CONTENT_URL')])
}`,
  'module.js': `indexedDB.databases().catch(({ name, message }) => {
  postMessage([name, message.includes('sets CONTENT_URL')])
})`,
}

export const MENDED: Promised = {
  'classic scripts import files of the page, and their errors have a text': async (meet) => {
    await inBoth(meet, CLASSIC, async ({ view }) => {
      await becomes(() => resultOf(view), '["lib",true]')
    })
  },

  'workers start from files of the page, classic and as modules, with what they load': async (
    meet,
  ) => {
    await inBoth(meet, WORKING, async ({ view }) => {
      await becomes(
        () => resultOf(view),
        JSON.stringify([
          'ask,part,data,text,nested,classic.js,named',
          'ask,module,data,late,true',
          'own',
          'failed',
        ]),
      )
    })
  },

  'a worker reaches no more than its page': async (meet) => {
    const secret = word('secret')
    const victim = await pro.publish({
      access: 'password',
      password: PASSWORD,
      files: [{ path: 'index.html', html: `<p id=secret>${secret}</p>` }],
      assets: [{ path: 'part.js', data_base64: base64(`self.stolen = '${secret}'`) }],
    })
    const tries = `onmessage = async ({ data: [page, app] }) => {
      const results = []
      const attempt = async (what) => {
        try { results.push(String(await what())) } catch (error) { results.push('threw') }
      }
      const credentials = 'include'
      await attempt(() => fetch(page, { credentials }).then((answer) => answer.text()))
      await attempt(() => fetch(page + '/part.js', { credentials }).then((answer) => answer.text()))
      await attempt(() => { importScripts(page + '/part.js'); return self.stolen })
      await attempt(() => fetch(app + '/api/v1/pages', { credentials }).then((a) => a.text()))
      await attempt(() => new Promise((resolve, reject) => {
        const worker = new Worker(page + '/part.js')
        worker.onmessage = resolve
        worker.onerror = reject
      }))
      await attempt(() => self['indexed' + 'DB'].open('x'))
      await attempt(() => caches.keys())
      postMessage(results)
    }`
    const texts = {
      'index.html': `<!doctype html><title>Nice</title><body id=ready><script>
const worker = new Worker('w.js')
worker.onmessage = ({ data }) => { window.results = data }
window.ask = (target) => worker.postMessage(target)</script></body>`,
      'w.js': tries,
    }
    await inBoth(meet, texts, async ({ visitor, view }) => {
      const own = await visitor.newTab()
      await unlock({ tab: own, problems: [] }, victim.url, PASSWORD)
      await framed(own, '#secret')
      await becomes(() => view.evaluate('typeof ask'), 'function')
      await view.evaluate(`ask(${JSON.stringify([victim.url, new URL(victim.url).origin])})`)
      await becomes(() => resultOf(view), JSON.stringify(Array(7).fill('threw')))
    })
  },

  'scripts read which files are missing, and set headers, as on a plain server': async (meet) => {
    const secret = word('secret')
    const victim = await pro.publish({
      access: 'password',
      password: PASSWORD,
      files: [{ path: 'index.html', html: `<p id=secret>${secret}</p>` }],
    })
    await inBoth(meet, ASKING, async ({ visitor, view }) => {
      const own = await visitor.newTab()
      await unlock({ tab: own, problems: [] }, victim.url, PASSWORD)
      await framed(own, '#secret')
      await becomes(() => resultOf(view), '[404,"data"]')
      await view.evaluate(`ask(${JSON.stringify(victim.url)})`)
      await becomes(() => view.evaluate('JSON.stringify(window.asked ?? null)'), ANSWERS)
    })
  },

  'cookies are kept for a page that names the document otherwise': async (meet) => {
    const visitor = await meet()
    await visitor.tab.goto((await deckOf(KEEPING, false)).url)
    const view = await framed(visitor.tab, '#ready')
    await becomes(() => resultOf(view), '"a=1"')
  },

  'a database in the sandbox fails with an error that says why, and never opens': async (meet) => {
    const visitor = await meet()
    await visitor.tab.goto((await deckOf(DATABASE, false)).url)
    const view = await framed(visitor.tab, '#ready')
    const explained = Array(3).fill('SecurityError')
    await becomes(() => resultOf(view), JSON.stringify([...explained, 'threw', 'threw']))
  },

  'a database in a worker fails with the same error': async (meet) => {
    const visitor = await meet()
    await visitor.tab.goto((await deckOf(DATABASES, false)).url)
    const view = await framed(visitor.tab, '#ready')
    const explained = ['SecurityError', true]
    await becomes(() => resultOf(view), JSON.stringify([explained, explained]))
  },

  'parts of an SVG file are drawn where <use> names them, and stay apart from the page': async (
    meet,
  ) => {
    await inBoth(meet, DRAWN, async ({ visitor, view }) => {
      for (const id of ['one', 'two', 'late', 'old']) {
        await becomes(() => view.evaluate(boxOf(id)), true)
      }
      const look = `[getComputedStyle(document.querySelector('.ink')).fill,
document.querySelectorAll('#sun').length, window.reached ?? null]`
      expect(await view.evaluate(look)).toEqual(['rgb(0, 0, 0)', 1, null])
      expect(visitor.problems).toEqual([])
    })
  },
}
