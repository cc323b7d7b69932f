/** Addresses from the root of the host, made at run time, lead to the page's own files in the shell. */
import { expect } from 'bun:test'
import { becomes, framed } from './browser.ts'
import { pro } from './client.ts'
import { type Promised, textOf, type Visitor } from './isolation-visitor.ts'
import { base64 } from './material.ts'

const STORES = '<script>localStorage.x = 1</script>'
const pageOf = (name: string, rest = '') =>
  `<!doctype html><title>${name}</title><body id=ready><p id=${name}>${name}</p>${rest}${STORES}`

/** The names are put together, so that publishing finds no address to mend. */
const START = pageOf(
  'start',
  `<button id=new>new</button><script>
const at = (path) => '/' + path
const make = (tag, values) => document.body.appendChild(Object.assign(document.createElement(tag), values))
const click = (values) => make('a', { textContent: 'link', ...values }).click()
const form = (action) => {
  const made = make('form', { action })
  made.append(Object.assign(document.createElement('input'), { name: 'q', value: '1' }))
  return made
}
document.querySelector('#new').onclick = () => click({ href: at('about.html'), target: '_blank' })
</script>`,
)
const DECK = {
  files: [
    { path: 'index.html', html: START },
    { path: 'about.html', html: pageOf('about') },
    { path: 'team/index.html', html: pageOf('team') },
  ],
  assets: [{ path: 'team/data.json', data_base64: base64('{"data":"team"}') }],
}

/** What a script does, and the file and address that it leads to. */
const WAYS: [script: string, name: string, path: string][] = [
  [`location.href = at('about.html')`, 'about', '/about.html'],
  [`location.assign(at('about') + '?q=1')`, 'about', '/about.html?q=1'],
  [`location.replace(at('team/'))`, 'team', '/team/index.html'],
  [`location = at('team')`, 'team', '/team/index.html'],
  [`location.href = 'about.html'`, 'about', '/about.html'],
  [`click({ href: at('about.html') })`, 'about', '/about.html'],
  [`click({ href: at('team#part'), target: '_top' })`, 'team', '/team/index.html#part'],
  [`form(at('about.html')).requestSubmit()`, 'about', '/about.html?q=1'],
  [`form(at('about.html')).submit()`, 'about', '/about.html?q=1'],
]

async function opened({ tab }: Visitor, url: string) {
  await tab.goto(url)
  return framed(tab, '#start')
}

export const ADDRESSES: Promised = {
  'scripts, links and forms lead to files of the page by addresses from the root': async (meet) => {
    const visitor = await meet()
    const { tab, problems } = visitor
    const page = await pro.publish(DECK)
    for (const [script, name, path] of WAYS) {
      const frame = await opened(visitor, page.url)
      await frame.evaluate(`void setTimeout(() => { ${script} })`)
      await framed(tab, `#${name}`)
      await becomes(() => tab.url(), page.url + path)
      await tab.reload()
      await framed(tab, `#${name}`)
    }
    const frame = await opened(visitor, page.url)
    await frame.locator('#new').click()
    const newTab = async () =>
      (await visitor.tabs()).find((other) => other.url() === `${page.url}/about.html`)
    await becomes(async () => (await newTab()) !== undefined, true)
    await framed((await newTab())!, '#about')
    expect(await visitor.tabs()).toHaveLength(2)
    // Of a script that went to such an address, the browser says that its frame was blocked.
    expect(problems.filter((text) => !text.includes('frame-src'))).toEqual([])
  },

  'going back leads to where the script came from': async (meet) => {
    const visitor = await meet()
    const { tab } = visitor
    const page = await pro.publish(DECK)
    let frame = await opened(visitor, `${page.url}/index.html`)
    await frame.evaluate(`void setTimeout(() => location.assign(at('about.html')))`)
    frame = await framed(tab, '#about')
    await becomes(() => tab.url(), `${page.url}/about.html`)
    await frame.evaluate(`void setTimeout(() => location.assign('/' + 'team'))`)
    await framed(tab, '#team')
    await becomes(() => tab.url(), `${page.url}/team/index.html`)
    for (const [name, path] of [
      ['about', 'about.html'],
      ['start', 'index.html'],
    ] as const) {
      await tab.evaluate('history.back()')
      await framed(tab, `#${name}`)
      await becomes(() => tab.url(), `${page.url}/${path}`)
    }
  },

  'an address that a script pushes is a file’s, or a route that the script reads': async (meet) => {
    const visitor = await meet()
    const { tab, problems } = visitor
    const page = await pro.publish(DECK)
    const frame = await opened(visitor, page.url)
    const routes = `(() => {
      history.pushState(1, '', at('a/route'))
      return [location.pathname, history.state]
    })()`
    expect(await frame.evaluate(routes)).toEqual(['/a/route', 1])
    await frame.evaluate(`history.pushState(2, '', at('team/'))`)
    await becomes(() => tab.url(), `${page.url}/team/index.html`)
    // Relative addresses start at the file, as on a plain server.
    const data = `fetch('data.json').then((answer) => answer.json()).then(({ data }) => data)`
    expect(await frame.evaluate(data)).toBe('team')
    expect(await textOf(frame, '#start')).toBe('start')
    await frame.evaluate(`history.replaceState(3, '', at(''))`)
    await becomes(() => tab.url(), page.url)
    expect(problems).toEqual([])
  },

  'an address of anything else never shows it in the frame, nor moves the window': async (meet) => {
    const visitor = await meet()
    const { tab } = visitor
    const other = await pro.publish({ html: '<title>Other</title><p id=other>other</p>' })
    const page = await pro.publish(DECK)
    const paths = [new URL(other.url).pathname, '/app', '/api/v1/pages', '/p/about.html', '/~/x']
    for (const path of paths) {
      const frame = await opened(visitor, page.url)
      await frame.evaluate(`void setTimeout(() => { location.href = ${JSON.stringify(path)} })`)
      await becomes(
        async () => textOf(await framed(tab), 'h1').catch(() => null),
        'There is nothing at this address',
      )
      expect(tab.url()).toStartWith(page.url)
      expect(await visitor.tabs()).toHaveLength(1)
    }
  },
}
