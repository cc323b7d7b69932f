import { ask, call, type Node, Refused } from '../ask.ts'
import { type Browser, newBrowser } from '../browser.ts'

/** One kind of request, as often among all as its share says. */
export interface Kind {
  name: string
  share: number
  /** @returns how many requests it took. @throws where an answer is not the one that it must be */
  send(): Promise<number>
}

interface Page {
  id: string
  slug: string
}

const READ_PAGES = 200
/** Created and deleted in turn, so that the database keeps its size. */
const CHANGED_PAGES = 100
/** The number of responses to one page before another one is used, far below the plan's limit. */
const SENT_TO_A_PAGE = 500
const PASSWORD = 'correct horse battery'
const RPC = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

const html = (words: string) =>
  `<!doctype html><title>${words}</title><h1>${words}</h1>${'<p>Some words. '.repeat(300)}`
const pick = <T>(among: readonly T[]): T => among[Math.floor(Math.random() * among.length)]!
const unique = () => crypto.randomUUID()

/** Makes the data that the requests need. */
export async function mixOf(node: Node): Promise<Kind[]> {
  const create = (body: object) => call<Page>(node, 'POST /pages', { body })
  const read = await Promise.all(
    Array.from({ length: READ_PAGES }, (_, n) => create({ html: html(`Page ${n}`) })),
  )
  return [
    ...viewsOf(node, read),
    ...(await gatedOf(node, create)),
    ...refusedOf(node, read),
    ...readsOf(node, read),
    ...changesOf(node, create),
    ...uploadsOf(node, create),
    ...conversationsOf(node, create),
  ]
}

/** @throws Refused where the answer has another status */
async function expectStatus(status: number, url: string, init?: RequestInit): Promise<1> {
  const answer = await ask(url, init)
  if (answer.status !== status) throw new Refused(`${init?.method ?? 'GET'} ${url}`, answer)
  return 1
}

function viewsOf({ url }: Node, pages: readonly Page[]): Kind[] {
  const address = () => `${url}/p/${pick(pages).slug}`
  const headers = (value: Record<string, string>) => ({ headers: value })
  return [
    { name: 'views', share: 32, send: () => expectStatus(200, address()) },
    {
      name: 'views in an encoding',
      share: 6,
      send: () =>
        expectStatus(200, address(), headers({ 'accept-encoding': pick(['br', 'gzip', 'zstd']) })),
    },
    {
      name: 'views by a browser',
      share: 2,
      send: async () => {
        await newBrowser().open(address())
        return 1
      },
    },
    { name: 'HEAD', share: 2, send: () => expectStatus(200, address(), { method: 'HEAD' }) },
  ]
}

async function gatedOf({ url }: Node, create: (body: object) => Promise<Page>): Promise<Kind[]> {
  const { slug } = await create({ html: html('Gated'), access: 'password', password: PASSWORD })
  const address = `${url}/p/${slug}`
  const admitted = newBrowser()
  await admitted.submit(url, await admitted.open(address), { password: PASSWORD })
  async function open(browser: Browser, status: number): Promise<number> {
    const answer = await browser.open(address)
    if (answer.status !== status) throw new Refused('A gated page', answer)
    return 1
  }
  return [
    { name: 'views past a gate', share: 6, send: () => open(admitted, 200) },
    { name: 'gates', share: 3, send: () => open(newBrowser(), 403) },
    {
      name: 'passwords',
      share: 0.2,
      send: async () => {
        const browser = newBrowser()
        const password = pick([PASSWORD, 'wrong'])
        await browser.submit(url, await browser.open(address), { password })
        return 2
      },
    },
  ]
}

function refusedOf(node: Node, pages: readonly Page[]): Kind[] {
  const { url } = node
  const api = `${url}/api/v1`
  const json = { 'content-type': 'application/json' }
  const own = { ...json, authorization: `Bearer ${node.key}` }
  return [
    { name: 'unknown pages', share: 6, send: () => expectStatus(404, `${url}/p/${unique()}`) },
    { name: 'unknown addresses', share: 2, send: () => expectStatus(404, `${url}/${unique()}`) },
    {
      name: 'unknown keys',
      share: 2,
      send: () =>
        expectStatus(401, `${api}/pages`, { headers: { authorization: `Bearer sm_${unique()}` } }),
    },
    {
      name: 'unknown members',
      share: 2,
      send: () => {
        const body = JSON.stringify({ [unique()]: 1 })
        return expectStatus(400, `${api}/pages`, { method: 'POST', headers: own, body })
      },
    },
    {
      name: 'malformed JSON',
      share: 2,
      send: () => expectStatus(400, `${api}/pages`, { method: 'POST', headers: own, body: '{' }),
    },
    {
      name: 'forged tokens',
      share: 2,
      send: () => {
        const body = JSON.stringify({ token: unique(), stamp: pick(pages).slug, data: '{}' })
        return expectStatus(400, `${url}/~/responses`, { method: 'POST', headers: json, body })
      },
    },
  ]
}

function readsOf(node: Node, pages: readonly Page[]): Kind[] {
  const get = async (path: string) => {
    await call(node, `GET ${path}`)
    return 1
  }
  async function callTool(name: string, options: object): Promise<number> {
    const params = { name, arguments: options }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const headers = { ...RPC, authorization: `Bearer ${node.key}` }
    return expectStatus(200, `${node.url}/mcp`, { method: 'POST', headers, body })
  }
  const offset = () => Math.floor(Math.random() * READ_PAGES)
  return [
    { name: 'lists', share: 2, send: () => get(`/pages?limit=20&offset=${offset()}`) },
    { name: 'searches', share: 1, send: () => get(`/pages?limit=20&search=${unique()}`) },
    { name: 'reads of a page', share: 3, send: () => get(`/pages/${pick(pages).id}`) },
    { name: 'reads of HTML', share: 2, send: () => get(`/pages/${pick(pages).id}/html`) },
    { name: 'tools', share: 2, send: () => callTool('get_page', { page_id: pick(pages).id }) },
    { name: 'metrics', share: 0.1, send: () => expectStatus(200, `${node.url}/metrics`) },
    { name: 'pages of ours', share: 0.5, send: () => expectStatus(200, `${node.url}/docs`) },
  ]
}

function changesOf(node: Node, create: (body: object) => Promise<Page>): Kind[] {
  const pages: Page[] = []
  return [
    {
      name: 'creates and deletes',
      share: 4,
      send: async () => {
        pages.push(await create({ html: html(`New ${unique()}`), publish: pick([true, false]) }))
        if (pages.length <= CHANGED_PAGES) return 1
        await call(node, `DELETE /pages/${pages.shift()!.id}`)
        return 2
      },
    },
    {
      name: 'edits',
      share: 4,
      send: async () => {
        // Taken out meanwhile: nothing else deletes it.
        const page = pages.pop() ?? (await create({ html: html('New') }))
        const edits = [{ find: '<h1>', replace: `<h1>${pick(['a', 'b', 'c'])}` }]
        await call(node, `PATCH /pages/${page.id}/html`, { body: { edits } })
        pages.unshift(page)
        return 1
      },
    },
  ]
}

function uploadsOf(node: Node, create: (body: object) => Promise<Page>): Kind[] {
  return [
    {
      name: 'uploads',
      share: 0.7,
      send: async () => {
        const body = html(unique()).padEnd(pick([5000, 50_000, 300_000]), 'x')
        const { id } = await call<{ id: string }>(node, 'POST /uploads', { body })
        const page = await create({ html_upload: id })
        await call(node, `DELETE /pages/${page.id}`)
        return 3
      },
    },
  ]
}

/** Each from another viewer, to a page that is deleted once it has enough of them. */
function conversationsOf(node: Node, create: (body: object) => Promise<Page>): Kind[] {
  const { url } = node
  function inTurn(settings: object): () => Promise<Page> {
    let page: Promise<Page> | null = null
    let last: Promise<Page> | null = null
    let left = 0
    async function drop(dropped: Promise<Page> | null): Promise<void> {
      if (dropped !== null) await call(node, `DELETE /pages/${(await dropped).id}`)
    }
    return async () => {
      if (page === null || left === 0) {
        // Viewers of the last page may still send something, so it is deleted one step later.
        const dropped = last
        last = page
        page = create({ title: unique(), ...settings })
        left = SENT_TO_A_PAGE
        await drop(dropped)
      }
      left -= 1
      return page
    }
  }
  const formPage = inTurn({ html: `${html('Form')}<form data-service><input name="n"></form>` })
  const commentPage = inTurn({ html: html('Comments'), allow_comments: true })
  return [
    {
      name: 'responses',
      share: 3,
      send: async () => {
        const { text } = await ask(`${url}/p/${(await formPage()).slug}`)
        const [, token] = /data-token="([^"]+)"/.exec(text) ?? []
        const [, stamp] = /data-stamp="([^"]+)"/.exec(text) ?? []
        const body = JSON.stringify({ token, stamp, id: unique(), data: '{"n":1}' })
        return 1 + (await expectStatus(200, `${url}/~/responses`, { method: 'POST', body }))
      },
    },
    {
      name: 'comments',
      share: 2,
      send: async () => {
        const browser = newBrowser()
        const panel = await browser.openPanel(`${url}/p/${(await commentPage()).slug}`)
        const input = { ...panel, id: unique(), name: 'Ann Example', body: 'Some words' }
        const answer = await browser.callPanel(`${url}/~/comments/post`, input)
        if (answer.status >= 300) throw new Refused('A comment', answer)
        return 2
      },
    },
  ]
}
