/**
 * Each way in which content leaves the service, in each state in which a page is closed. What a
 * visitor was given while the page was open is kept, and asked for again.
 */
import { describe, expect, it } from 'bun:test'
import type { PageObject } from '../../model/page/page-object.ts'
import { type Engine, HOUR_MS, MINUTE_MS, type TestApp, testApp } from '../../testing/app.ts'
import {
  addressRoutes,
  emailCookie,
  type Holder,
  hostRoutes,
  KINDS,
  type Kind,
  MARKER,
  previewRoutes,
  previewUrl,
  type Route,
  tokenRoutes,
  wordsOf,
} from '../../testing/content-routes.ts'
import { sessionOf } from '../../testing/signed-in.ts'

/** An answer without content: a notice or a gate. */
interface Closed {
  status: number
  title: string
}

interface State {
  name: string
  /** The settings with which the visitor can open the page. */
  settings?: object
  /** How the visitor gets in. */
  admit?(holder: Holder): Promise<unknown>
  close(holder: Holder): Promise<unknown>
  /** What the page's address answers then. */
  closed: Closed
  /** Whether who has opened the page may still use its panel. */
  keepsPanel?: true
  /** What a preview answers that was started before. It is open unless given. */
  oldPreview?: Closed
  /** What one answers that is started then; null where none can be. */
  newPreview?: Closed | null
}

const [ANN, GUEST] = ['ann@example.com', 'guest@example.com']
const INVITED = { access: 'people', allowed_emails: [GUEST], require_signin: true }

const UNPUBLISHED = { status: 404, title: 'This page is not published' }
const TAKEN_DOWN = { status: 410, title: 'This page was taken down' }
const SUSPENDED = { status: 410, title: 'This page is not available' }
const USED_UP = { status: 410, title: 'This page is no longer available' }
const PRIVATE = { status: 403, title: 'This page is private' }
const GONE = { status: 404, title: 'There is nothing at this address' }
const TO_ACCEPT = { status: 403, title: 'Agree before you open this page' }
const FOR_OWNER = { status: 403, title: 'This is a preview' }

const STATES: State[] = [
  {
    name: 'is a draft',
    settings: { publish: false },
    close: async () => {},
    closed: UNPUBLISHED,
  },
  {
    name: 'was unpublished',
    close: ({ owner, page }) => owner.ask('DELETE', `/pages/${page.id}/publish`),
    closed: UNPUBLISHED,
  },
  {
    name: 'is in the trash',
    close: ({ owner, page }) => owner.ask('POST', `/pages/${page.id}/trash`),
    closed: UNPUBLISHED,
    oldPreview: UNPUBLISHED,
    newPreview: null,
  },
  {
    name: 'is in the trash, for its owner',
    settings: { access: 'private' },
    admit: async ({ app, owner, visitor }) =>
      visitor.keep('/', (await sessionOf(app, owner.email)).cookie),
    close: ({ owner, page }) => owner.ask('POST', `/pages/${page.id}/trash`),
    closed: UNPUBLISHED,
    oldPreview: UNPUBLISHED,
    newPreview: null,
  },
  {
    name: 'was taken down',
    close: takeDown,
    closed: TAKEN_DOWN,
    oldPreview: TAKEN_DOWN,
    newPreview: TAKEN_DOWN,
  },
  {
    name: 'was taken down for those whom it had invited',
    settings: INVITED,
    admit: signIn,
    close: takeDown,
    closed: TAKEN_DOWN,
    oldPreview: TAKEN_DOWN,
    newPreview: TAKEN_DOWN,
  },
  {
    name: 'is of a suspended account',
    close: suspend,
    closed: SUSPENDED,
    oldPreview: SUSPENDED,
    // Neither keys nor sessions of the account start one.
    newPreview: null,
  },
  {
    name: 'is of a suspended account, for those whom it had invited',
    settings: INVITED,
    admit: signIn,
    close: suspend,
    closed: SUSPENDED,
    oldPreview: SUSPENDED,
    newPreview: null,
  },
  {
    name: 'has expired',
    close: ({ owner, page }) => owner.update(page.id, { expires_at: '2020-01-01T00:00Z' }),
    closed: { status: 410, title: 'This link has expired' },
  },
  {
    name: 'is used up, and the visits are over',
    settings: { max_views: 1000 },
    close: (holder) => useUp(holder, 31 * MINUTE_MS),
    closed: USED_UP,
    keepsPanel: true,
  },
  {
    name: 'was used up half a day ago',
    settings: { max_views: 1000 },
    close: (holder) => useUp(holder, 12 * HOUR_MS),
    closed: USED_UP,
    // Its token has ended.
    oldPreview: USED_UP,
  },
  {
    name: 'became private',
    close: ({ owner, page }) => owner.update(page.id, { access: 'private' }),
    closed: PRIVATE,
  },
  {
    name: 'has another password',
    settings: { access: 'password', password: 'first one' },
    admit: ({ visitor, page }) => visitor.passGate(`/p/${page.slug}`, { password: 'first one' }),
    close: ({ owner, page }) => owner.update(page.id, { password: 'second one' }),
    closed: { status: 403, title: 'This page has a password' },
  },
  {
    name: 'asks to accept an agreement',
    close: ({ owner, page }) => owner.update(page.id, { agreement: { text: 'Tell nobody.' } }),
    closed: TO_ACCEPT,
  },
  {
    name: 'has a new agreement',
    settings: { agreement: { text: 'Tell nobody.' } },
    admit: ({ visitor, page }) => visitor.passGate(`/p/${page.slug}`, { name: 'Ann' }),
    close: ({ owner, page }) => owner.update(page.id, { agreement: { text: 'Tell Bob.' } }),
    closed: TO_ACCEPT,
  },
  {
    name: 'asks for an address with its agreement',
    settings: { agreement: { text: 'Tell nobody.' } },
    admit: ({ visitor, page }) => visitor.passGate(`/p/${page.slug}`, { name: 'Ann' }),
    close: ({ owner, page }) => owner.update(page.id, { agreement: { require: 'email' } }),
    closed: { status: 403, title: 'This page asks for an email' },
  },
  {
    name: 'invites somebody no longer',
    settings: { access: 'people', allowed_emails: [ANN] },
    admit: async ({ app, visitor }) => visitor.keep('/', emailCookie(app, ANN)),
    close: ({ owner, page }) => owner.update(page.id, { allowed_emails: [GUEST] }),
    closed: { status: 403, title: 'This address may not open the page' },
  },
  {
    name: 'was open to a session that has ended',
    settings: INVITED,
    admit: signIn,
    close: ({ app }) => endSessions(app, GUEST),
    closed: { status: 403, title: 'This page is for invited people' },
  },
  {
    name: 'was open to a session of its owner that has ended',
    settings: { access: 'private' },
    admit: async ({ app, owner, visitor }) =>
      visitor.keep('/', (await sessionOf(app, owner.email)).cookie),
    close: ({ app, owner }) => endSessions(app, owner.email),
    closed: PRIVATE,
    oldPreview: FOR_OWNER,
  },
  {
    name: 'was deleted',
    close: ({ owner, page }) => owner.call('DELETE', `/pages/${page.id}`),
    closed: GONE,
    oldPreview: GONE,
    newPreview: null,
  },
]

async function takeDown({ app, page }: Holder): Promise<void> {
  const stored = (await app.pages.find(page.id))!
  await app.database.write((tx) => app.pages.setTakedown(tx, stored, 'phishing'))
}

async function suspend({ app, owner }: Holder): Promise<void> {
  await app.accountSuspension.suspend((await app.accounts.findByEmail(owner.email))!, null)
}

async function useUp({ app, owner, page }: Holder, agoMs: number): Promise<void> {
  const { views } = await owner.page(page.id)
  await owner.update(page.id, { max_views: views })
  app.advance(agoMs)
}

async function signIn({ app, visitor }: Holder): Promise<void> {
  const isKnown = (await app.accounts.findByEmail(GUEST)) !== null
  if (!isKnown) await app.accounts.add({ email: GUEST, plan: 'free' })
  visitor.keep('/', (await sessionOf(app, GUEST)).cookie)
}

async function endSessions(app: TestApp, email: string): Promise<void> {
  await app.sessions.revokeAll((await app.accounts.findByEmail(email))!.id)
}

/** The requests that programs and browsers make of an address that they know. */
const requestsFor = (etag: string): [method: string, headers: Record<string, string>][] => [
  ['GET', {}],
  ['HEAD', {}],
  ['GET', { 'accept-encoding': 'br' }],
  ['GET', { range: 'bytes=0-99' }],
  ['GET', { 'if-none-match': etag }],
  ['HEAD', { 'if-none-match': '*' }],
]

/** The statuses of a closed page's answers to what visitors were given. */
const REFUSALS: Record<'token' | 'host' | 'ours', readonly number[]> = {
  token: [307, 403, 404, 410],
  host: [303, 403, 404, 410],
  ours: [200, 202, 204, 400, 403, 404, 409, 410],
}

function expectWords(request: string, words: string, expected: string): void {
  expect([request, words]).toEqual([request, expect.stringContaining(expected)])
}

/** @returns the ETag, with which it is asked for again */
async function expectContent(route: Route): Promise<string> {
  const answer = await route.send()
  const words = await wordsOf(answer)
  if (route.hasContent) expectWords(route.name, words, MARKER)
  return answer.headers.get('etag') ?? '*'
}

async function expectClosed(route: Route, etag: string, { status, title }: Closed): Promise<void> {
  const isNamed = route.by === 'address' || route.by === 'preview'
  const statuses = isNamed ? [status] : REFUSALS[route.by as keyof typeof REFUSALS]
  for (const [method, headers] of requestsFor(etag)) {
    const answer = await route.send(headers, method)
    const request = `${method} ${route.name} ${JSON.stringify(headers)}: ${answer.status}`
    const words = await wordsOf(answer)
    expect([request, words.includes(MARKER)]).toEqual([request, false])
    expect(statuses, request).toContain(answer.status)
    if (isNamed && method === 'GET') expectWords(request, words, title)
  }
}

interface Preview {
  url: string
  /** Of a window in which its owner is signed in. */
  cookie: string
}

/** What a preview answers to its owner, and in the window of somebody who found its address. */
async function expectPreview(holder: Holder, preview: Preview, closed: Closed | undefined) {
  for (const route of previewRoutes(holder, preview)) {
    const etag = await (closed ? '*' : expectContent(route))
    if (closed) await expectClosed(route, etag, closed)
    else expect((await route.send({ 'if-none-match': etag })).status).toBe(etag === '*' ? 200 : 304)
  }
  const [inWindow] = previewRoutes(holder, { ...preview, cookie: '' })
  await expectClosed(inWindow!, '*', closed ?? FOR_OWNER)
}

export async function holderOf(app: TestApp, kind: Kind, state?: State): Promise<Holder> {
  const owner = await app.owner()
  const page: PageObject = await owner.publish({ ...KINDS[kind], ...state?.settings })
  const holder = { app, owner, page, kind, visitor: app.visitor() }
  await state?.admit?.(holder)
  if (kind === 'deck') await owner.ask('POST', `/pages/${page.id}/comments`, { body: MARKER })
  return holder
}

export async function routesOf(holder: Holder): Promise<Route[]> {
  const inputs = [...(await tokenRoutes(holder)), ...(await hostRoutes(holder))]
  return [...addressRoutes(holder), ...inputs]
}

async function walk(app: TestApp, kind: Kind, state: State): Promise<void> {
  const holder = await holderOf(app, kind, state)
  const { owner, page, visitor } = holder
  const routes = await routesOf(holder)
  const etags = new Map<Route, string>()
  for (const route of page.is_published ? routes : []) {
    etags.set(route, await expectContent(route))
    // From now on, it is in memory.
    await (await route.send()).arrayBuffer()
  }
  const { cookie } = await sessionOf(app, owner.email)
  const isOwner = page.access === 'private'
  const url = await previewUrl(app, owner, page, isOwner ? visitor.cookieFor('/') : undefined)
  await expectPreview(holder, { url, cookie }, undefined)
  await state.close(holder)
  for (const route of routes) {
    if (route.name === '/~/comments' && state.keepsPanel) continue
    await expectClosed(route, etags.get(route) ?? '*', state.closed)
  }
  if (state.newPreview === null) return expectPreview(holder, { url, cookie }, state.oldPreview)
  const { cookie: newCookie } = await sessionOf(app, owner.email)
  await expectPreview(holder, { url, cookie: newCookie }, state.oldPreview)
  const newUrl = await previewUrl(app, owner, page)
  await expectPreview(holder, { url: newUrl, cookie: newCookie }, state.newPreview)
}

async function walkAll(engine: Engine, contentUrl: string | null, state: State): Promise<void> {
  await using app = await testApp(engine, { contentUrl })
  for (const kind of Object.keys(KINDS) as Kind[]) await walk(app, kind, state)
}

/** @param where whose content it is, in the name of the suite */
export function describeClosedPages(where: string, engine: Engine, contentUrl: string | null) {
  describe(`no byte of content is answered ${where}, where the page`, () => {
    it.each(STATES)('$name', (state) => walkAll(engine, contentUrl, state))
  })
}
