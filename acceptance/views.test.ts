import { expect, test } from 'bun:test'
import { browser, type Page, pro, programWithCookies, type Sent, send, visitor } from './client.ts'
import { everyCase, expectContentHeaders, expectNotice } from './expect.ts'
import { base64, html, pdf, png, word } from './material.ts'

async function viewsOf(page: Page): Promise<number> {
  return (await pro.page(page.id)).views
}

/** The number of views that `work` adds to a page. */
async function added(page: Page, work: () => Promise<unknown>): Promise<number> {
  const before = await viewsOf(page)
  await work()
  return (await viewsOf(page)) - before
}

const deckFields = {
  files: [
    { path: 'index.html', html: html('the cover') },
    { path: 'team.html', html: html('the team') },
    { path: 'about/index.html', html: html('about us') },
  ],
  assets: [{ path: 'a.css', data_base64: base64('p{}') }],
}

test('each GET of a page is one view, committed before the response', async () => {
  const page = await pro.publish({ html: html('x') })
  expect(page.views).toBe(0)
  for (let count = 1; count <= 5; count += 1) {
    await visitor.open(page.slug)
    expect(await viewsOf(page)).toBe(count)
  }
  const listed = (await pro.list()).data.find(({ id }) => id === page.id)
  expect(listed!.views).toBe(5)
})

test('a GET answered with 304 is a view', async () => {
  const page = await pro.publish({ html: html('x') })
  const etag = (await visitor.open(page.slug)).headers.get('etag')!
  expect(
    await added(page, async () => {
      const answer = await visitor.open(page.slug, { 'if-none-match': etag })
      expect(answer.status).toBe(304)
    }),
  ).toBe(1)
})

test('ordinary programs and browsers count', async () => {
  const page = await pro.publish({ html: html('x') })
  const agents = [
    'curl/8.5.0',
    'Wget/1.21',
    'python-requests/2.31.0',
    'node',
    'undici',
    'axios/1.6.0',
    'Go-http-client/1.1',
    'PostmanRuntime/7.36.0',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/140.0 Safari/537.36',
    'SomeUnknownBot/1.0 (+https://example.com/bot)',
  ]
  await everyCase(
    agents.map((agent) => [agent, agent] as const),
    async (agent) => {
      const opens = () => visitor.open(page.slug, { 'user-agent': agent })
      expect(await added(page, opens)).toBe(1)
    },
  )
  expect(await added(page, () => visitor.open(page.slug, browser))).toBe(1)
})

const previewAgents = [
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Twitterbot/1.0',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; +http://www.linkedin.com)',
  'WhatsApp/2.23.20.0',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'TelegramBot (like TwitterBot)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
  'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 Safari/605.1.15 (Applebot/0.1)',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mattermost-Bot/1.1',
  'Synapse (bot; +https://github.com/matrix-org/synapse)',
  'Mozilla/5.0 (X11; Linux x86_64) Chrome/56.0 Safari/537.36 Google-PageRenderer Google',
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  'Nextcloud Server Crawler',
  'Mozilla/5.0 (compatible; ZulipURLPreview/9.0; +https://zulip.example)',
  'Mozilla/5.0 (X11; Linux x86_64) Chrome/41.0 Safari/537.36 Rocket.Chat/6.5.0',
  'NotionEmbedder',
  'Iframely/1.3.1 (+https://iframely.com/docs/about) Atlassian',
  'Asana/1.4.0 WebsiteMetadataRetriever',
  'ClickUpLinkUnfurler/1.0 (+https://clickup.com)',
]

test('named link-preview and search agents do not count', async () => {
  const page = await pro.publish({ html: html('words to index') })
  await everyCase(
    previewAgents.map((agent) => [agent, agent] as const),
    async (agent) => {
      const opens = async () => {
        const answer = await visitor.open(page.slug, { 'user-agent': agent })
        expect(answer.status).toBe(200)
        expect(answer.text).toContain('words to index')
      }
      expect(await added(page, opens)).toBe(0)
    },
  )
})

test('on a page with a view limit the named agents get a preview stub without content', async () => {
  const words = word('limited')
  const ogTitle = word('Preview of')
  const page = await pro.publish({ html: html(words), max_views: 1, og_title: ogTitle })
  await everyCase(
    previewAgents.map((agent) => [agent, agent] as const),
    async (agent) => {
      const answer = await visitor.open(page.slug, { 'user-agent': agent })
      expect(answer.text).not.toContain(words)
      expect(answer.text).toContain(ogTitle)
    },
  )
  expect(await viewsOf(page)).toBe(0)
  expect((await visitor.open(page.slug)).text, 'the one view is still there').toContain(words)
  const deck = await pro.publish({ ...deckFields, max_views: 1, og_title: ogTitle })
  const agent = { 'user-agent': previewAgents[0]! }
  for (const path of ['', '/index.html', '/team.html']) {
    expect((await send(`/p/${deck.slug}${path}`, { headers: agent })).text).not.toMatch(
      /the cover|the team/,
    )
  }
})

test('HEAD and OPTIONS do not count', async () => {
  const page = await pro.publish({ html: html('x') })
  expect(await added(page, () => visitor.head(page.slug))).toBe(0)
  expect(await added(page, () => send(`/p/${page.slug}`, { method: 'OPTIONS' }))).toBe(0)
  expect(
    await added(page, () =>
      send(`/p/${page.slug}`, {
        method: 'OPTIONS',
        headers: { origin: 'https://example.com', 'access-control-request-method': 'GET' },
      }),
    ),
  ).toBe(0)
})

test('a prefetch gets 503 no-store, and does not count', async () => {
  const words = word('prefetched')
  const page = await pro.publish({ html: html(words) })
  const prefetches: Sent[] = [
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
  ]
  for (const headers of prefetches) {
    const opens = async () => {
      const answer = await visitor.open(page.slug, { ...browser, ...headers })
      expect(answer.status).toBe(503)
      expect(answer.headers.get('cache-control')).toContain('no-store')
      expect(answer.text).not.toContain(words)
    }
    expect(await added(page, opens)).toBe(0)
  }
})

test('a frame does not count', async () => {
  const page = await pro.publish({ html: html('x') })
  const headers = { ...browser, 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' }
  expect(await added(page, () => visitor.open(page.slug, headers))).toBe(0)
})

test('gates and notices do not count', async () => {
  const page = await pro.publish({ html: html('x') })
  const opens = () => visitor.open(page.slug)
  for (const access of ['private', 'password', 'people', 'email_gate']) {
    await pro.update(page.id, { access })
    expect(await added(page, opens), access).toBe(0)
  }
  await pro.update(page.id, { access: 'link' })
  await pro.unpublish(page.id)
  expect(await added(page, opens), 'not published').toBe(0)
  await pro.goLive(page.id)
  await pro.update(page.id, { expires_at: '2020-01-01T00:00:00Z' })
  expect((await opens()).status).toBe(410)
  expect(await added(page, opens), 'expired').toBe(0)
})

test('the redirect of a deck is not a view, and its entry page is one', async () => {
  const page = await pro.publish(deckFields)
  expect(await added(page, () => visitor.open(page.slug))).toBe(0)
  expect(await added(page, () => visitor.open(`${page.slug}/index.html`))).toBe(1)
  expect(await added(page, () => visitor.open(`${page.slug}/about`)), 'a folder’s 307').toBe(0)
})

test('assets and files that are not there do not count', async () => {
  const page = await pro.publish(deckFields)
  for (const path of ['a.css', 'nothing.html', 'nothing.css']) {
    expect(await added(page, () => send(`/p/${page.slug}/${path}`)), path).toBe(0)
  }
})

test('opening a deck and moving between its files in one browser is one view', async () => {
  const page = await pro.publish(deckFields)
  const program = programWithCookies()
  const walk = async () => {
    for (const path of ['', '/index.html', '/team.html', '/about/', '/a.css', '/index.html']) {
      const answer = await program.open(`/p/${page.slug}${path}`)
      expect(answer.status).toBeLessThan(400)
    }
  }
  expect(await added(page, walk)).toBe(1)
  const another = programWithCookies()
  expect(await added(page, () => another.open(`/p/${page.slug}/team.html`))).toBe(1)
})

test('a visit to one deck is not a visit to another', async () => {
  const a = await pro.publish(deckFields)
  const b = await pro.publish(deckFields)
  const program = programWithCookies()
  await program.open(`/p/${a.slug}/index.html`)
  expect(await added(b, () => program.open(`/p/${b.slug}/index.html`))).toBe(1)
})

test('each GET of a deck by a program without cookies is a view', async () => {
  const page = await pro.publish(deckFields)
  expect(await added(page, () => visitor.open(`${page.slug}/index.html`))).toBe(1)
  expect(await added(page, () => visitor.open(`${page.slug}/index.html`))).toBe(1)
})

test('a whole file is a view, and the later parts of a range are not', async () => {
  for (const [bytes, extension] of [
    [pdf(), 'pdf'],
    [png(), 'png'],
  ] as const) {
    const filename = `${word('f')}.${extension}`
    const page = await pro.publish({ file_base64: base64(bytes), filename })
    const program = programWithCookies()
    expect(await added(page, () => program.open(`/p/${page.slug}`))).toBe(1)
    const parts = async () => {
      for (const range of ['bytes=10-19', 'bytes=20-', 'bytes=-5']) {
        expect((await program.open(`/p/${page.slug}`, { range })).status).toBe(206)
      }
    }
    expect(await added(page, parts)).toBe(0)
    expect(await added(page, () => visitor.open(page.slug, browser)), 'the viewer').toBe(1)
  }
})

test('the last view of a file can load the rest of its ranges, and nobody else can', async () => {
  const bytes = pdf()
  const filename = `${word('f')}.pdf`
  const page = await pro.publish({ file_base64: base64(bytes), filename, max_views: 1 })
  const program = programWithCookies()
  expect((await program.open(`/p/${page.slug}`)).status).toBe(200)
  const range = 'bytes=10-19'
  expect((await program.open(`/p/${page.slug}`, { range })).status).toBe(206)
  const stranger = await visitor.open(page.slug, { range })
  expectNotice(stranger, 410, [Buffer.from(bytes.subarray(10, 20)).toString('latin1')])
})

test('no kind of request bypasses a view limit', async () => {
  const deep = { ...browser, 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' }
  const forms: [string, Sent][] = [
    ['a range that starts later', { range: 'bytes=1-' }],
    ['a range from the end', { range: 'bytes=-5000' }],
    ['a frame', deep],
    ['an image', { ...deep, 'sec-fetch-dest': 'image' }],
    ['an empty destination', { ...deep, 'sec-fetch-dest': 'empty' }],
    ['a revalidation', { 'if-none-match': '"x"' }],
  ]
  await everyCase(forms, async (headers) => {
    const filename = `${word('f')}.pdf`
    const file = await pro.publish({ file_base64: base64(pdf()), filename, max_views: 1 })
    const single = await pro.publish({ html: html('limited'), max_views: 1 })
    const deck = await pro.publish({ ...deckFields, max_views: 1 })
    for (const path of [file.slug, single.slug, `${deck.slug}/index.html`]) {
      let served = 0
      for (let open = 0; open < 3; open += 1) {
        const { status } = await visitor.open(path, headers)
        if (status === 200 || status === 206) served += 1
      }
      expect(served, path).toBeLessThanOrEqual(1)
    }
  })
})

test('each of many simultaneous views is counted', async () => {
  const page = await pro.publish({ html: html('x') })
  const opens = Array.from({ length: 200 }, () => visitor.open(page.slug))
  for (const answer of await Promise.all(opens)) expect(answer.status).toBe(200)
  expect(await viewsOf(page)).toBe(200)
})

test('with max_views N exactly N simultaneous views are served', async () => {
  const words = word('limited')
  for (const maxViews of [1, 7]) {
    const page = await pro.publish({ html: html(words), max_views: maxViews })
    const answers = await Promise.all(Array.from({ length: 50 }, () => visitor.open(page.slug)))
    const served = answers.filter(({ status }) => status === 200)
    expect(served).toHaveLength(maxViews)
    for (const answer of served) expect(answer.text).toContain(words)
    for (const answer of answers) if (answer.status !== 200) expectNotice(answer, 410, [words])
    expect(await viewsOf(page)).toBe(maxViews)
    expectNotice(await visitor.open(page.slug), 410, [words])
    expect(await viewsOf(page), 'a refused open is no view').toBe(maxViews)
  }
})

test('with max_views N exactly N views of a deck and of a file are served', async () => {
  const deck = await pro.publish({ ...deckFields, max_views: 5 })
  const filename = `${word('f')}.pdf`
  const file = await pro.publish({ file_base64: base64(pdf()), filename, max_views: 5 })
  for (const path of [`${deck.slug}/index.html`, file.slug]) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => visitor.open(path)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(45)
  }
  expect(await viewsOf(deck)).toBe(5)
  expect(await viewsOf(file)).toBe(5)
})

test('a revalidation at the view limit is refused', async () => {
  const page = await pro.publish({ html: html('x'), max_views: 2 })
  const etag = (await visitor.open(page.slug)).headers.get('etag')
  const headers: Sent = etag ? { 'if-none-match': etag } : {}
  expect([200, 304]).toContain((await visitor.open(page.slug, headers)).status)
  expect((await visitor.open(page.slug, headers)).status).toBe(410)
  expect(await viewsOf(page)).toBe(2)
})

test('the last view of a deck can load its other files, and the link is closed to others', async () => {
  const page = await pro.publish({ ...deckFields, max_views: 1 })
  const program = programWithCookies()
  expect((await program.open(`/p/${page.slug}`)).status).toBe(307)
  for (const path of ['index.html', 'a.css', 'team.html', 'about/']) {
    expect((await program.open(`/p/${page.slug}/${path}`)).status, path).toBe(200)
  }
  expect(await viewsOf(page)).toBe(1)
  for (const path of ['', '/index.html', '/team.html', '/a.css']) {
    const answer = await send(`/p/${page.slug}${path}`)
    expectNotice(answer, 410, ['the cover', 'the team', 'p{}'])
  }
})

test('HEAD and prefetches do not use up a view limit', async () => {
  const page = await pro.publish({ html: html('x'), max_views: 1 })
  await visitor.head(page.slug)
  await visitor.open(page.slug, { 'sec-purpose': 'prefetch' })
  expect(await viewsOf(page)).toBe(0)
  expect((await visitor.open(page.slug)).status).toBe(200)
  expect((await visitor.open(page.slug)).status).toBe(410)
})

test('HEAD at the view limit answers 410', async () => {
  const page = await pro.publish({ html: html('x'), max_views: 1 })
  await visitor.open(page.slug)
  expect((await visitor.head(page.slug)).status).toBe(410)
})

test('a response at the view limit is not stored', async () => {
  const page = await pro.publish({ html: html('x'), max_views: 1 })
  const opened = await visitor.open(page.slug)
  expectContentHeaders(opened, 'html')
  expect(opened.headers.get('cache-control') ?? '').toMatch(/no-store|no-cache|max-age=0/)
})

test('views survive edits, publishing, renames and changes of access', async () => {
  const page = await pro.publish({ html: html('x') })
  await visitor.open(page.slug)
  await visitor.open(page.slug)
  await pro.update(page.id, { html: html('y'), title: word('Renamed') })
  await pro.goLive(page.id)
  await pro.update(page.id, { slug: word('moved'), access: 'private' })
  await pro.restore(page.id, 1, { publish: true })
  expect(await viewsOf(page)).toBe(2)
})

test('a copied frame address gives a document once; its files go on with the visit', async () => {
  const page = await pro.publish({ ...deckFields, max_views: 1 })
  const who = programWithCookies()
  const answer = await who.open(`${page.url}/index.html`, browser)
  const [frame] = /\/p\/[\w-]+\/~v1[^"]+/.exec(answer.text) ?? []
  const framed = { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' }
  const read = (path: string, headers: Sent = {}) => send(frame + path, { headers })
  expect((await read('index.html', framed)).text).toContain('the cover')
  for (const headers of [{}, framed, { 'sec-fetch-dest': 'empty' }]) {
    const copy = await read('index.html', headers)
    expect(copy.status).toBe(410)
    expect(copy.text).not.toContain('the cover')
    expectContentHeaders(copy, 'html')
  }
  expect((await read('a.css')).status).toBe(200)

  const renewal = `${page.url}/~/frame`
  expect((await send(renewal)).status, 'without the visit').toBeGreaterThan(399)
  const { files } = JSON.parse((await who.open(renewal)).text) as { files: string }
  const again = await send(`${files}index.html`, { headers: framed })
  expect([again.status, again.text.includes('the cover')]).toEqual([200, true])
  expect(await viewsOf(page)).toBe(1)
})
