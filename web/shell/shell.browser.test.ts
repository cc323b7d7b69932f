import { expect, setDefaultTimeout, test } from 'bun:test'
import { becomes, framed, newWindow } from '../../acceptance/browser.ts'
import { type Page, pro } from '../../acceptance/client.ts'
import { base64, png } from '../../acceptance/material.ts'
import { testBrowser } from '../../acceptance/test-browser.ts'

setDefaultTimeout(240_000)

const browser = testBrowser({ closesWindows: true })

async function opened(page: Page, rest = '') {
  const window = await newWindow(browser())
  await window.tab.goto(page.url + rest)
  return { ...window, frame: await framed(window.tab) }
}

const STORING = `<!doctype html><html><head><title>Storing</title></head><body>
<script>
localStorage.setItem('visits', Number(localStorage.getItem('visits') ?? 0) + 1)
localStorage.theme = 'dark'
sessionStorage.setItem('step', Number(sessionStorage.step ?? 0) + 1)
document.cookie = 'seen=yes; max-age=3600; path=/'
document.cookie = 'gone=1; max-age=0'
document.title = 'Visit ' + localStorage.visits
</script></body></html>`

test('a page finds what it has stored after a reload, without errors', async () => {
  const page = await pro.publish({ html: STORING })
  const { tab, problems } = await opened(page)
  await becomes(() => tab.title(), 'Visit 1')
  await Bun.sleep(150)
  await tab.reload()
  await becomes(() => tab.title(), 'Visit 2')
  const frame = await framed(tab)
  const result = await frame.evaluate(() => ({
    theme: localStorage.theme,
    keys: Object.keys(localStorage),
    length: localStorage.length,
    first: localStorage.key(0),
    none: [localStorage.getItem('none'), localStorage.none],
    json: JSON.stringify(localStorage),
    isStorage: localStorage instanceof Storage,
    has: ['theme' in localStorage, 'none' in localStorage],
    borrowed: Storage.prototype.getItem.call(localStorage, 'theme'),
    step: sessionStorage.getItem('step'),
    cookie: document.cookie,
    name: window.name,
    deleted: delete localStorage.theme && localStorage.getItem('theme'),
    text: String(localStorage),
  }))
  expect(result).toEqual({
    theme: 'dark',
    keys: ['visits', 'theme'],
    length: 2,
    first: 'visits',
    none: [null, undefined as unknown as string],
    json: '{"visits":"2","theme":"dark"}',
    isStorage: true,
    has: [true, false],
    borrowed: 'dark',
    step: '2',
    cookie: 'seen=yes',
    name: '',
    deleted: null,
    text: '[object Storage]',
  })
  expect(problems).toEqual([])
})

test('storage beyond the quota throws as in browsers, and keeps what it held', async () => {
  const page = await pro.publish({ html: '<script>localStorage.a = "1"</script>' })
  const { tab, frame } = await opened(page)
  const thrown = await frame.evaluate(() => {
    localStorage.setItem('large', 'x'.repeat(5 * 1024 * 1024 - 7))
    try {
      localStorage.setItem('more', 'x')
      return null
    } catch (error) {
      const { name, code } = error as DOMException
      return [name, code, error instanceof DOMException, localStorage.length]
    }
  })
  expect(thrown).toEqual(['QuotaExceededError', 22, true, 2])
  await Bun.sleep(1000)
  await tab.reload()
  const again = await framed(tab)
  await becomes(() => again.evaluate(() => localStorage.large?.length), 5 * 1024 * 1024 - 7)
})

const DECK = {
  files: [
    {
      path: 'index.html',
      html: `<title>One</title><body><a id=next href="two.html">two</a> <a id=hash href="#low">low</a>
<a id=blank target=_blank href="two.html">blank</a> <a id=out href="https://example.com/x">out</a>
<div style="height:3000px"></div><p id=low>low</p><script>localStorage.from = 'one'</script>`,
    },
    {
      path: 'two.html',
      html: `<title>Two</title><body><p id=two></p><script>two.textContent = localStorage.from</script>
<a id=folder href="about/">about</a> <a id=up target=_top href="index.html">up</a>`,
    },
    { path: 'about/index.html', html: '<title>About</title><p id=about>about</p>' },
  ],
}

test('address, title and history follow a deck, and a reload shows the same file', async () => {
  const page = await pro.publish(DECK)
  const { tab, frame } = await opened(page)
  await becomes(() => [tab.url()], [`${page.url}/index.html`])
  await frame.click('#next')
  await becomes(() => tab.url(), `${page.url}/two.html`)
  await becomes(() => tab.title(), 'Two')
  const two = await framed(tab, '#two')
  expect(await two.textContent('#two')).toBe('one')
  await two.click('#folder')
  await becomes(() => tab.url(), `${page.url}/about/`)
  await framed(tab, '#about')
  await tab.goBack()
  await becomes(() => tab.url(), `${page.url}/two.html`)
  await framed(tab, '#two')
  await tab.goBack()
  await becomes(() => tab.url(), `${page.url}/index.html`)
  await becomes(() => tab.title(), 'One')
  await tab.goForward()
  await becomes(() => tab.url(), `${page.url}/two.html`)
  await tab.reload()
  await framed(tab, '#two')
  expect(tab.url()).toBe(`${page.url}/two.html`)
  await (await framed(tab, '#up')).click('#up')
  await becomes(() => tab.url(), `${page.url}/index.html`)
})

test('going back works after leaving a deck and coming back', async () => {
  const page = await pro.publish(DECK)
  const { tab, frame } = await opened(page)
  await frame.click('#next')
  await becomes(() => tab.url(), `${page.url}/two.html`)
  await tab.goto('about:blank')
  await tab.goBack()
  await framed(tab, '#two')
  await tab.goBack()
  await framed(tab, '#low')
  await becomes(() => tab.url(), `${page.url}/index.html`)
})

test('a hash is passed on in both directions, and adds to the history', async () => {
  const page = await pro.publish(DECK)
  const { tab, frame } = await opened(page, '/index.html#low')
  await becomes(() => frame.evaluate(() => window.scrollY > 1000), true)
  const other = await opened(page, '/index.html')
  await other.frame.click('#hash')
  await becomes(() => other.tab.url(), `${page.url}/index.html#low`)
  await other.tab.goBack()
  await becomes(() => other.tab.url(), `${page.url}/index.html`)
  await tab.evaluate(() => {
    location.hash = ''
  })
  await becomes(() => frame.evaluate(() => location.hash), '')
})

test('a link with a target opens the public address, not the frame’s', async () => {
  const page = await pro.publish(DECK)
  const { tab, frame } = await opened(page)
  const [popup] = await Promise.all([tab.context().waitForEvent('page'), frame.click('#blank')])
  await becomes(() => popup.url(), `${page.url}/two.html`)
  await framed(popup, '#two')
})

test('history.pushState of a page changes the address, and back fires its popstate', async () => {
  const html = `<title>Steps</title><p id=state></p><script>
onpopstate = () => { state.textContent = history.state?.at ?? 'start' }
localStorage.x = 1
</script>`
  const page = await pro.publish({ html })
  const { tab, frame } = await opened(page)
  await frame.evaluate(() => history.pushState({ at: 'two' }, '', '?tab=2#x'))
  await becomes(() => tab.url(), `${page.url}?tab=2#x`)
  await frame.evaluate(() => history.pushState({ at: 'three' }, '', '?tab=3'))
  await becomes(() => tab.url(), `${page.url}?tab=3`)
  await tab.goBack()
  await becomes(() => frame.textContent('#state'), 'two')
  await becomes(() => tab.url(), `${page.url}?tab=2#x`)
})

test('an address that changes with each letter is shown at once, and with 300 not 100 times', async () => {
  const page = await pro.publish({ html: '<script>localStorage.x = 1</script><p>x' })
  const { tab, frame } = await opened(page)
  await tab.evaluate(() => {
    const replace = history.replaceState.bind(history)
    Object.assign(window, { updates: 0 })
    history.replaceState = (...args) => {
      Object.assign(window, { updates: Number(Reflect.get(window, 'updates')) + 1 })
      replace(...args)
    }
    // No update comes later than at once.
    Object.assign(window, { setTimeout: () => 0 })
  })
  const type = (text: string) =>
    frame.evaluate((typed) => {
      for (let end = 1; end <= typed.length; end += 1) {
        history.replaceState(null, '', `?q=${typed.slice(0, end)}`)
      }
    }, text)
  await type('a search')
  await becomes(() => tab.url(), `${page.url}?q=a%20search`)
  await type('x'.repeat(300))
  await becomes(() => tab.evaluate(() => Reflect.get(window, 'updates') >= 25), true)
  expect(await tab.evaluate(() => Number(Reflect.get(window, 'updates')))).toBeLessThan(100)
})

test('a window of a page gets a storage event for changes of another', async () => {
  const html = `<p id=received></p><script>
addEventListener('storage', (e) => { received.textContent = [e.key, e.oldValue, e.newValue, localStorage.a] })
localStorage.length</script>`
  const page = await pro.publish({ html })
  const { tab, frame } = await opened(page)
  const other = await tab.context().newPage()
  await other.goto(page.url)
  const second = await framed(other)
  await second.evaluate(() => localStorage.setItem('a', '1'))
  await becomes(() => frame.textContent('#received'), 'a,,1,1')
})

test('a link to another site opens a new window, and the shell stays', async () => {
  const html = `<script>localStorage.x = 1</script><a id=out href="https://elsewhere.invalid/">o</a>
<a id=top target=_top href="https://elsewhere.invalid/">t</a>
<form id=form method=post action="https://elsewhere.invalid/"><button id=send>s</button></form>`
  const page = await pro.publish({ html })
  const { tab, frame } = await opened(page)
  for (const id of ['out', 'top', 'send']) {
    const [popup] = await Promise.all([tab.context().waitForEvent('page'), frame.click(`#${id}`)])
    await popup.close()
  }
  await frame.evaluate(() => {
    try {
      window.top!.location.href = 'https://elsewhere.invalid/'
    } catch {
      // As it should be.
    }
    window.open('https://elsewhere.invalid/', '_top')
    const guess = { type: 'connect', nonce: 'guess' }
    window.parent.postMessage(guess, '*', [new MessageChannel().port2])
  })
  await Bun.sleep(300)
  expect(tab.url()).toBe(page.url)
  expect(await (await framed(tab, '#out')).textContent('#out')).toBe('o')
})

test('a mail or a call that is begun leaves the page as it is, with what was typed', async () => {
  const html = `<input id=typed><script>localStorage.x = 1</script><a href="mailto:a@b.test">a</a>
<a href="tel:+123" target=_top>b</a> <a href="chat-program://open">c</a>
<button onclick="location.href = 'mailto:a@b.test'">d</button>`
  const { tab, frame } = await opened(await pro.publish({ html }))
  const started: string[] = []
  tab.context().on('requestfailed', (request) => started.push(request.url()))
  await frame.fill('#typed', 'kept')
  for (const name of ['a', 'b', 'c', 'd']) await frame.click(`text="${name}"`)
  const requests = ['mailto:a@b.test', 'tel:+123', 'chat-program://open', 'mailto:a@b.test']
  await becomes(() => started, requests)
  expect(await (await framed(tab, '#typed')).inputValue('#typed')).toBe('kept')
})

test('a link to “#” or of a script leaves what was typed, and the script runs', async () => {
  const html = `<script>localStorage.x = 1; said = ''</script><input id=typed><a href="#">top</a>
<a href="javascript:void(said += 'a%20b')">script</a>`
  const { tab, frame } = await opened(await pro.publish({ html }))
  await frame.fill('#typed', 'kept')
  await frame.click('text="top"')
  await frame.click('text="script"')
  await becomes(() => frame.evaluate('said'), 'a b')
  await Bun.sleep(300)
  expect(await (await framed(tab, '#typed')).inputValue('#typed')).toBe('kept')
})

test('a script of a page goes back to the file before, and forward', async () => {
  const back = '<button id=back onclick="history.back()">b</button>'
  const [one, two] = DECK.files
  const files = [one!, { path: 'two.html', html: two!.html + back }]
  const page = await pro.publish({ files })
  const { tab, frame } = await opened(page)
  await frame.click('#next')
  await (await framed(tab, '#back')).click('#back')
  const again = await framed(tab, '#next')
  await becomes(() => tab.url(), `${page.url}/index.html`)
  await again.evaluate('history.go(1)')
  await framed(tab, '#two')
  await becomes(() => tab.url(), `${page.url}/two.html`)
})

test('the page has the focus from the start, and Ctrl+P prints it', async () => {
  const html = `<body><p id=keys></p><script>
localStorage.x = 1
window.print = () => { keys.textContent += ' printed' }
addEventListener('keydown', (e) => { if (e.key.startsWith('Arrow')) keys.textContent += e.key })
</script>`
  const page = await pro.publish({ html })
  const { tab, frame } = await opened(page)
  await tab.keyboard.press('ArrowRight')
  await tab.keyboard.press('Control+p')
  await becomes(() => frame.textContent('#keys'), 'ArrowRight printed')
})

test('printing the shell prints the whole page', async () => {
  const html = `<style>p{height:1000px;margin:0}</style><script>localStorage.x = 1</script>
${'<p>sheet</p>'.repeat(5)}`
  const page = await pro.publish({ html })
  const { tab } = await opened(page)
  await Bun.sleep(200)
  const pdf = (await tab.pdf({ width: '1000px', height: '1000px' })).toString('latin1')
  expect(pdf.match(/\/Type \/Page\b/g)?.length).toBeGreaterThanOrEqual(5)
})

test('with scripts off the page has the whole window, also in print', async () => {
  const html = `<style>p{height:1000px;margin:0}</style>${'<p>sheet</p>'.repeat(2)}`
  const page = await pro.publish({ html, allow_comments: true })
  const context = await browser().newContext({ javaScriptEnabled: false })
  const tab = await context.newPage()
  await tab.goto(page.url)
  const { width, height } = tab.viewportSize()!
  expect(await tab.locator('iframe').boundingBox()).toEqual({ x: 0, y: 0, width, height })
  await tab.emulateMedia({ media: 'print' })
  expect((await tab.locator('iframe').boundingBox())!.height).toBe(height)
})

test('a nested frame has a storage of its own, without errors', async () => {
  const page = await pro.publish({
    files: [
      { path: 'index.html', html: '<script>localStorage.a = 1</script><iframe src="in.html">' },
      { path: 'in.html', html: '<p id=in></p><script>localStorage.b = 2; in_ = 1</script>' },
    ],
  })
  const { tab, problems } = await opened(page)
  await becomes(() => tab.frames().length, 3)
  const inner = tab.frames()[2]!
  await becomes(() => inner.evaluate(() => Object.keys(localStorage)), ['b'])
  expect(problems).toEqual([])
})

test('a file that loads slowly keeps what was typed in it', async () => {
  const form = '<input id="typed"><img src="slow.png">'
  const page = await pro.publish({
    files: [
      { path: 'index.html', html: '<script>localStorage.a = 1</script><a href="form.html">on</a>' },
      { path: 'form.html', html: form },
    ],
    assets: [{ path: 'slow.png', data_base64: base64(png()) }],
  })
  const { tab } = await newWindow(browser())
  const { promise: release, resolve } = Promise.withResolvers<void>()
  await tab.route('**/slow.png', async (route) => {
    await release
    await route.continue()
  })
  await tab.clock.install()
  await tab.goto(page.url)
  await (await framed(tab, 'a')).click('a')
  const frame = await framed(tab, '#typed')
  await frame.fill('#typed', 'typed')
  // The time in which the first file could have connected, and that of the second.
  await tab.clock.fastForward(3000)
  resolve()
  await frame.waitForLoadState('load')
  await tab.clock.fastForward(3000)
  await Bun.sleep(200)
  expect(await (await framed(tab, '#typed')).inputValue('#typed')).toBe('typed')
})

test('a file that never connects reloads the window once nothing that was typed is lost by that', async () => {
  const page = await pro.publish({
    files: [
      { path: 'index.html', html: '<a href="closed.html">on</a>' },
      { path: 'closed.html', html: 'Open' },
    ],
    allow_comments: true,
    comments_require_email: true,
    collect_votes: true,
    poll_question: 'Which?',
    poll_options: ['a', 'b'],
    poll_require_email: true,
    poll_named: true,
  })
  const { tab } = await newWindow(browser())
  await tab.route('**/closed.html*', async (route) => {
    if (route.request().url().startsWith(`${page.url}/closed.html`)) return route.continue()
    await route.fulfill({ contentType: 'text/html', body: '<p id="closed">Closed' })
  })
  await tab.clock.install()
  await tab.goto(page.url)
  const isSame = () => tab.evaluate(() => 'isSame' in window)
  await tab.evaluate(() => Object.assign(window, { isSame: true }))
  const button = (name: string | RegExp) => tab.getByRole('button', { name, exact: true })
  await button(/^Comments/).click()
  const name = tab.getByPlaceholder('Your name (optional)')
  await name.fill('Ann')
  await tab.getByRole('textbox', { name: 'Comment', exact: true }).fill('Words')
  await button('Post comment').click()
  const email = tab.getByLabel('Your email')
  await email.fill('ann@work.example')
  await tab.getByRole('tab', { name: /^Poll/ }).click()
  const voter = tab.locator('.poll').getByLabel('Your name')
  await voter.fill('Bee')
  await (await framed(tab, 'a')).click('a')
  await framed(tab, '#closed')
  const wait = async () => {
    await tab.clock.fastForward(3000)
    await Bun.sleep(500)
  }
  await wait()
  expect([await isSame(), await email.inputValue()]).toEqual([true, 'ann@work.example'])
  await email.evaluate((field: HTMLInputElement) => (field.value = ''))
  await wait()
  expect(await isSame()).toBe(true)
  await voter.fill('')
  await tab.getByRole('tab', { name: /^Comments/ }).click()
  const comment = tab.getByRole('textbox', { name: 'Comment', exact: true })
  await comment.fill('Words that')
  await wait()
  expect(await isSame(), 'nobody is stopped in the middle of a sentence').toBe(true)
  // The browser keeps what was left there.
  await button('Close').click()
  await wait()
  await becomes(isSame, false)
  await button(/^Comments/).click()
  expect([await name.inputValue(), await comment.inputValue()]).toEqual(['Ann', 'Words that'])
})
