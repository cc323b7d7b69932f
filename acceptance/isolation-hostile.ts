/** A hostile page, and what its attacks may return in any browser. */
import { expect } from 'bun:test'

/** Each attack returns its result as text. */
const ATTACKS = `
const seen = (look) => { try { return String(look()) } catch { return 'refused' } }
const text = (url, init) =>
  fetch(url, { credentials: 'include', ...init }).then((r) => r.text())
const watched = (w) => new Promise((done) => {
  if (w === null) return done('no window')
  const all = new Set()
  const timer = setInterval(() => {
    all.add('frames ' + w.length).add('closed ' + w.closed)
    all.add(seen(() => w.location.href)).add(seen(() => w.document.body.textContent))
    w.postMessage({ type: 'connect', nonce: 'guess' }, '*')
  }, 100)
  setTimeout(() => { clearInterval(timer); done([...all].join(', ')) }, 1500)
})
/** From a frame in which no script of the service has run. */
const untouched = (b) => new Promise((done) => {
  addEventListener('message', ({ data }) => done(data), { once: true })
  const frame = document.createElement('iframe')
  frame.srcdoc = '<script>const seen = ' + seen + '; const watched = ' + watched +
    '; watched(window.open("' + b + '")).then((all) => parent.postMessage(all, "*"))<\\/script>'
  document.body.append(frame)
})
const tries = {
  popup: (b) => watched(window.open(b)),
  popup_untouched: (b) => untouched(b),
  cookie: () => document.cookie,
  fetch: (b) => text(b),
  fetch_cached: (b) => text(b, { cache: 'force-cache' }),
  fetch_only_cached: (b) => text(b, { cache: 'only-if-cached', mode: 'same-origin' }),
  fetch_as_document: (b) => text(b, { headers: { accept: 'text/html' } }),
  etag: (b) => text(b, { method: 'HEAD', headers: { 'if-none-match': '"x"' } }),
  app: () => text('/app'),
  api: () => text('/api/v1/pages'),
  api_post: () => text('/api/v1/pages', { method: 'POST', body: '{"html":"x"}' }),
  worker: (b) => navigator.serviceWorker.register('sw.js').then(() => 'registered'),
  cache_storage: () => caches.keys().then((k) => 'keys ' + k),
  iframe: (b) => new Promise((done) => {
    const frame = document.createElement('iframe')
    frame.onload = () => done(seen(() => frame.contentDocument.body.textContent))
    frame.src = b
    document.body.append(frame)
    setTimeout(() => done('nothing came'), 1500)
  }),
  prefetch: (b) => new Promise((done) => {
    const link = document.createElement('link')
    link.rel = 'prefetch'; link.href = b
    link.onload = () => done('loaded'); link.onerror = () => done('failed')
    document.head.append(link)
    setTimeout(() => done('nothing came'), 1000)
  }),
  form: () => {
    const form = document.createElement('form')
    form.method = 'post'; form.action = '/api/v1/pages'
    form.target = '_blank'; form.enctype = 'text/plain'
    form.innerHTML = '<input name=\\'{"html":"forged","x":"\\' value=\\'"}\\'>'
    document.body.append(form)
    form.submit()
    return 'sent'
  },
  parent: () => parent === window ? 'none' : seen(() => parent.document.body.textContent),
  opener: () => String(window.opener),
  top: () => top === window ? 'none' : seen(() => { top.location = '/app' }),
  push: () => { history.pushState(null, '', '/app/sign-in'); return 'tried' },
}
window.attack = async (b) => {
  const results = {}
  for (const name of Object.keys(tries)) {
    try { results[name] = String(await tries[name](b)) } catch (error) { results[name] = 'threw ' + error.name }
  }
  window.results = results
}
`
export const HOSTILE = `<!doctype html><title>Nice</title><body><button id=nice>nice</button><script>${ATTACKS}
nice.onclick = () => attack(window.target)</script>`

export type Results = Record<string, string>

const REFUSED = [
  ...['worker', 'cache_storage', 'fetch', 'fetch_cached', 'fetch_only_cached'],
  ...['fetch_as_document', 'etag', 'app', 'api', 'api_post'],
]

/** @param secrets texts that no result may contain */
export function expectNothingReached(results: Results, secrets: string[]): void {
  expect(Object.keys(results).length).toBeGreaterThan(15)
  for (const [name, text] of Object.entries(results)) {
    for (const secret of [...secrets, '/~']) expect(text, name).not.toContain(secret)
  }
  for (const name of REFUSED) expect(results[name], name).toMatch(/^threw/)
  for (const name of ['popup', 'popup_untouched']) {
    expect(results[name], name).toMatch(/^no window$|closed true/)
    expect(results[name], name).not.toMatch(/frames [1-9]/)
  }
}
