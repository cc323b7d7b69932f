import { interleavedRounds, rateRows, type Target } from '../counted-views.ts'
import type { Bench, Figure } from '../figure.ts'
import { headersOf, startEqualNginx } from '../peers.ts'
import type { Row } from '../report.ts'
import { htmlOf } from '../sample-content.ts'
import { type Handbill, newOwner, type Owner, startHandbill } from '../servers.ts'

const BYTES = 10 * 1024
const CONNECTIONS = 32
const HTML = new TextDecoder().decode(htmlOf(BYTES))
const STYLE = new TextEncoder().encode('p { color: red }\n'.repeat(BYTES / 17))
/** A window that opens an address. */
const WINDOW = { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' }

type Sent = Record<string, string>
/** A request to ours, and the path of the same file at nginx. */
interface Compared {
  figure: string
  goal: number
  path: string
  headers?: Sent
  peerPath: string
  isHead?: boolean
}

/** (s) Requests other than complete pages on the base host, beside nginx with equal work. */
export const requests: Figure = {
  letter: 's',
  about: '304, HEAD, files of decks and pages on their own host, beside nginx',
  async measure(bench) {
    const settings = { CONTENT_URL: 'http://{page}.content.test' }
    await using sandboxed = await startHandbill(bench.folder('requests'))
    await using withHosts = await startHandbill(bench.folder('requests'), settings)
    const owner = await newOwner(sandboxed)
    const { slug } = await owner.create({ html: HTML, title: 'Page' })
    const onHost = await openOwnHost(withHosts, await newOwner(withHosts))
    bench.note('(s) counts each 304 of a page as a view. HEAD is sent by this process, not by wrk.')
    const page = { path: `/p/${slug}`, peerPath: '/page.html' }
    return [
      ...(await measure(bench, sandboxed, {
        ...{ ...page, figure: '(s) 304 of a counted view', goal: 1 },
        headers: { 'if-none-match': await etagOf(`${sandboxed.url}${page.path}`) },
      })),
      ...(await measure(bench, sandboxed, {
        ...{ ...page, figure: '    HEAD of a page', goal: 1, isHead: true },
      })),
      ...(await measure(bench, sandboxed, {
        ...{ figure: '    a style sheet of a deck', goal: 0.9, peerPath: '/a.css' },
        path: `/p/${await publishDeck(owner)}/a.css`,
      })),
      ...(await measure(bench, withHosts, {
        ...{ figure: '    a page on its own host, by the cookie of its visit', goal: 0.9 },
        ...{ ...onHost, peerPath: '/page.html' },
      })),
    ]
  },
}

async function measure(bench: Bench, handbill: Handbill, compared: Compared): Promise<Row[]> {
  const { figure, goal, path, headers = {}, peerPath, isHead = false } = compared
  bench.log(`${figure.replace('(s)', '').trim()}, ${CONNECTIONS} connections`)
  const url = handbill.url + path
  // Those of the whole response: a 304 has fewer.
  const { 'if-none-match': condition, ...whole } = headers
  const files = { 'page.html': htmlOf(BYTES), 'a.css': STYLE }
  await using nginx = await startEqualNginx(files, await headersOf(url, whole))
  const peerUrl = nginx.url + peerPath
  const peerHeaders = {
    ...whole,
    ...(condition !== undefined && { 'if-none-match': await etagOf(peerUrl) }),
  }
  const targets: [Target, Target] = [
    { served: handbill, url, headers, isHead },
    { served: nginx, url: peerUrl, headers: peerHeaders, isHead },
  ]
  const status = condition === undefined ? 200 : 304
  for (const target of targets) await assertStatus(target, status)
  const [ours, peer] = await interleavedRounds(bench, targets, CONNECTIONS)
  return rateRows(`${figure}, ${CONNECTIONS} connections`, [ours!, peer!], goal)
}

async function assertStatus({ url, headers, isHead }: Target, status: number): Promise<void> {
  const answer = await fetch(url, { method: isHead ? 'HEAD' : 'GET', headers: headers ?? {} })
  await answer.arrayBuffer()
  if (answer.status !== status) throw new Error(`${url} answered ${answer.status}, not ${status}`)
}

async function etagOf(url: string): Promise<string> {
  const { headers } = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
  return headers.get('etag')!
}

async function publishDeck(owner: Owner): Promise<string> {
  const files = [
    { path: 'index.html', html: '<!doctype html><link rel=stylesheet href=a.css><p>x' },
  ]
  const assets = [{ path: 'a.css', data_base64: Buffer.from(STYLE).toString('base64') }]
  return (await owner.create({ files, assets, title: 'Deck' })).slug
}

/** Opens a page as a browser does, until it is on its own host. @returns a request for it there */
async function openOwnHost({ url }: Handbill, owner: Owner) {
  const { slug } = await owner.create({
    html: `${HTML}<script></script>`,
    title: 'On its own host',
  })
  const sentOn = await fetch(`${url}/p/${slug}`, { headers: WINDOW, redirect: 'manual' })
  const ticket = new URL(sentOn.headers.get('location')!)
  const taken = await fetch(url + ticket.pathname + ticket.search, {
    headers: { ...WINDOW, host: ticket.host },
    redirect: 'manual',
  })
  const cookie = taken.headers.getSetCookie()[0]!.split(';')[0]!
  // wrk replaces its own `Host` only by a header in this spelling.
  return { path: '/', headers: { ...WINDOW, Host: ticket.host, cookie } }
}
