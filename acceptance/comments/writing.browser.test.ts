/** The form of a comment, and what a comment on text that has changed since says. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Page as Tab } from 'playwright-core'
import { becomes, framed, pressable } from '../browser.ts'
import { dataOf, pro } from '../client.ts'
import { violationsIn } from '../gates/axe.ts'
import { type Person, person } from '../gates/person.ts'
import { newOwner, own, signedIn } from '../gates/setup.ts'
import { html, word } from '../material.ts'
import { server } from '../server.ts'
import { testBrowser } from '../test-browser.ts'
import { listOf, panelOf } from './panel.ts'

setDefaultTimeout(240_000)

const browser = testBrowser({ closesWindows: true })

const PHONE = { width: 390, height: 844 }
/** What a phone's keyboard leaves. */
const KEYBOARD_PX = 336

async function opened(url: string, viewport = PHONE, who: Person = person()) {
  const context = await browser().newContext({ viewport, reducedMotion: 'reduce', bypassCSP: true })
  const { hostname: domain } = new URL(server.url)
  await context.addCookies(
    [...who.jar.values()].map((cookie) => ({ ...cookie, domain, path: cookie.path })),
  )
  const tab = await context.newPage()
  await tab.addInitScript(() => {
    const screen = Object.assign(new EventTarget(), { height: innerHeight, offsetTop: 0 })
    Object.defineProperty(window, 'visualViewport', { value: screen })
  })
  await tab.goto(url)
  await tab.getByRole('button', { name: /^Comments/ }).click()
  await tab.getByRole('heading', { name: 'Comments' }).waitFor()
  return tab
}

const letter = (words: string) =>
  `<!doctype html><html lang="en"><title>x</title><main><h1>x</h1><p>${words}</p>
  <script>document.querySelector('main').append('Written by a script')</script></main></html>`

const field = (tab: Tab) => tab.getByLabel('Comment', { exact: true })
const post = (tab: Tab) => tab.getByRole('button', { name: 'Post comment', exact: true })
const heightOf = async (tab: Tab) => Math.round((await field(tab).boundingBox())!.height)
const showKeyboard = (tab: Tab, pixels: number) =>
  tab.evaluate((pixels) => {
    Object.assign(visualViewport!, { height: innerHeight - pixels })
    visualViewport!.dispatchEvent(new Event('resize'))
  }, pixels)

async function inView(tab: Tab, name: string, keyboard: number): Promise<boolean> {
  const box = (await tab.getByRole('button', { name, exact: true }).boundingBox())!
  return box.y >= 0 && box.y + box.height <= tab.viewportSize()!.height - keyboard
}

for (const [name, without] of [
  ['by its style', false],
  ['in a browser without that style', true],
] as const) {
  test(`the field of a comment is one line high and grows with its text, ${name}`, async () => {
    const page = await pro.publish({ html: html('words'), allow_comments: true })
    const tab = await opened(page.url)
    if (without) {
      await tab.evaluate(() => {
        CSS.supports = () => false
        const style = document.createElement('style')
        style.textContent = 'textarea { field-sizing: fixed !important }'
        document.querySelector('#conversations')!.shadowRoot!.append(style)
      })
    }
    const before = await heightOf(tab)
    expect(before).toBeLessThan(50)
    await field(tab).fill('one\ntwo\nthree\nfour')
    await becomes(async () => (await heightOf(tab)) > before + 60, true)
    await field(tab).fill('line\n'.repeat(200))
    await becomes(async () => (await heightOf(tab)) <= 0.3 * PHONE.height + 1, true)
    await field(tab).fill('')
    await becomes(() => heightOf(tab), before)
  })
}

test('the buttons that send stay in view on a phone with its keyboard, however long the text', async () => {
  const page = await pro.publish({ html: html('words'), allow_comments: true })
  const panel = await panelOf(page)
  for (let n = 0; n < 6; n++) await panel.comment(`Comment ${n}`)
  const tab = await opened(page.url)
  for (const [viewport, keyboard] of [
    [PHONE, 0],
    [PHONE, KEYBOARD_PX],
    [{ width: 844, height: 390 }, 200],
  ] as const) {
    await tab.setViewportSize(viewport)
    await showKeyboard(tab, keyboard)
    await field(tab).fill('line\n'.repeat(60))
    await becomes(() => inView(tab, 'Post comment', keyboard), true)
  }
  await tab.setViewportSize(PHONE)
  await showKeyboard(tab, KEYBOARD_PX)
  await tab.getByRole('button', { name: 'Reply', exact: true }).nth(2).click()
  await field(tab).fill('line\n'.repeat(60))
  const reply = tab.locator('.composer').getByRole('button', { name: 'Reply', exact: true })
  const bottom = async () => {
    const { y, height } = (await reply.boundingBox())!
    return y + height <= PHONE.height - KEYBOARD_PX
  }
  await becomes(bottom, true)
})

test('a name is asked for once, stands beside the next comment, and can be changed', async () => {
  const page = await pro.publish({ html: letter('words'), allow_comments: true })
  const tab = await opened(page.url)
  const name = tab.getByLabel('Your name', { exact: true })
  const change = tab.getByRole('button', { name: 'Change', exact: true })
  expect(await name.getAttribute('placeholder')).toBe('Your name (optional)')
  expect(await change.count()).toBe(0)
  await field(tab).fill('One')
  await name.fill('Ann')
  await post(tab).click()
  await change.waitFor()
  expect(await name.inputValue()).toBe('Ann')
  await tab.reload()
  await change.click()
  await tab.keyboard.type('Ann Li')
  await field(tab).fill('Two')
  await post(tab).click()
  const names = () => tab.locator('.comment header b').allTextContents()
  await becomes(names, ['Ann', 'Ann Li'])
  await tab.locator('button:focus', { hasText: 'Post comment' }).waitFor()
  await change.click()
  await tab.keyboard.type('Ann Li von und zu '.repeat(4))
  const { x, width } = (await post(tab).boundingBox())!
  expect(x + width, 'a long name leaves the button in view').toBeLessThanOrEqual(PHONE.width)
  expect(await violationsIn(tab)).toEqual([])
})

test('a reply to the oldest thread keeps the keyboard while newer threads arrive', async () => {
  const page = await pro.publish({ html: letter('Hello'), allow_comments: true })
  const panel = await panelOf(page)
  // As many as are built at once.
  await Promise.all(Array.from({ length: 24 }, (_, n) => panel.comment(`Comment ${n}`)))
  const tab = await opened(page.url)
  const threads = tab.locator('.threads > li')
  await becomes(() => threads.count(), 24)
  await threads.first().getByRole('button', { name: 'Reply', exact: true }).click()
  await field(tab).fill('My words')
  await field(tab).evaluate((box) => box.classList.add('is-same'))
  await panel.comment('A newer one')
  await threads.getByText('A newer one').waitFor()
  await tab.locator('.is-same:focus').waitFor({ timeout: 5_000 })
  expect(await threads.count()).toBe(25)
})

own('the keyboard goes on in the panel where a comment was changed or deleted', async () => {
  const page = await (await newOwner()).publish({ html: letter('Hello'), allow_comments: true })
  await (await panelOf(page)).comment('The first')
  const tab = await opened(page.url)
  const press = (name: string) => tab.getByRole('button', { name, exact: true }).press('Enter')
  const place = () =>
    tab.evaluate(() => {
      const { activeElement } = document.querySelector('#conversations')!.shadowRoot!
      const words = ['The first', 'The second', 'Changed'].filter((text) =>
        activeElement?.textContent.includes(text),
      )
      return [activeElement?.localName ?? null, ...words]
    })
  await field(tab).fill('The second')
  await press('Post comment')
  await press('Edit')
  await tab.getByLabel('Your comment').fill('Changed')
  await press('Save')
  await becomes(place, ['div', 'Changed'])
  await press('Edit')
  await press('Cancel')
  await becomes(place, ['div', 'Changed'])
  await press('Delete comment')
  await press('Delete comment for good')
  await becomes(place, ['ol', 'The first'])
})

own(
  'a comment on changed text says what stood there and what stands there now, and its owner compares',
  async () => {
    const by = await newOwner()
    const page = await by.publish({
      html: letter('We meet in May, as agreed. It costs 20 euros.'),
      title: word('title'),
      allow_comments: true,
    })
    const panel = await panelOf(page)
    const about = (quote: string) => ({ anchor: { quote, prefix: '', suffix: '' } })
    await panel.comment('When?', about('We meet in May'))
    await panel.comment('By whom?', about('Written by a script'))
    await panel.comment('What?', about('Words that were there for a moment'))
    const edits = [{ find: 'We meet in May, as', replace: 'We meet at nine in June, as' }]
    await by.call('PATCH', `/pages/${page.id}/html`, { edits, publish: true })
    for (const who of [person(), await signedIn(by.email)]) {
      const tab = await opened(page.url, { width: 1440, height: 900 }, who)
      const first = tab.locator('.threads > li').first()
      await first.getByText('The text has changed here.').waitFor()
      const quotes = await first.locator('blockquote').allTextContents()
      expect(quotes).toEqual(['We meet in May', 'We meet at nine in June'])
      expect(await first.locator('.about').textContent()).toEndWith('Written on version 1')
      // The page itself has the words that the stored text has not.
      const [, script, gone] = await tab.locator('.threads > li').allTextContents()
      expect(script).not.toContain('version')
      expect(gone).toContain('Its place in this version is not certain.')
      expect(await tab.locator('.threads').textContent()).not.toContain('Not in the page')
      expect(await violationsIn(tab)).toEqual([])
      const link = first.getByRole('link', { name: 'version 1' })
      if (who.jar.size === 0 || !(await link.count())) {
        expect(await link.count()).toBe(0)
        continue
      }
      await link.click()
      await tab.getByRole('heading', { name: /Version 1 to version 2/ }).waitFor()
      await tab.goto(`${server.url}/app/pages/${page.id}/versions?from=9`)
      await tab.getByText('Version 9 is not kept any more.').waitFor()
      await tab.goto(`${server.url}/app/pages/${page.id}/comments`)
      await tab.getByText('The text has changed here.').waitFor()
      await tab.getByRole('link', { name: 'version 1' }).first().click()
      await tab.getByRole('heading', { name: /Version 1 to version 2/ }).waitFor()
    }
  },
  60_000,
)

test('what is being written stays while the owner switches comments off, and is posted once on', async () => {
  const page = await pro.publish({ html: html('words'), allow_comments: true })
  const tab = await opened(page.url)
  await field(tab).fill('Long thoughts')
  const off = tab.waitForResponse(async (response) => response.status() === 409)
  await pro.update(page.id, { allow_comments: false })
  await off
  await post(tab).click()
  await tab.getByText('This is not sent yet. Comments are switched off on this page.').waitFor()
  expect(await field(tab).inputValue()).toBe('Long thoughts')
  await pro.update(page.id, { allow_comments: true })
  await post(tab).click()
  await tab.getByRole('list', { name: 'Threads' }).getByText('Long thoughts').waitFor()
})

test('a reply that is being written while its thread is deleted stays, also after Reload, and becomes a comment', async () => {
  const page = await pro.publish({ html: html('words'), allow_comments: true })
  const body = { body: 'Asked' }
  const asked = await pro.call('POST', `/pages/${page.id}/comments`, body)
  const { id } = dataOf<{ id: string }>(asked, 201)
  const tab = await opened(page.url)
  await tab.getByRole('button', { name: 'Reply', exact: true }).click()
  await field(tab).pressSequentially('Long thoughts')
  const deleted = await pro.call('DELETE', `/pages/${page.id}/comments/${id}`)
  expect(deleted.status).toBe(204)
  const told = tab.getByText('deleted or not shown here: it becomes a new comment')
  await told.waitFor()
  await tab.keyboard.type(' and more')
  expect(await field(tab).inputValue()).toBe('Long thoughts and more')
  await tab.reload()
  await told.waitFor()
  expect(await field(tab).inputValue()).toBe('Long thoughts and more')
  await post(tab).click()
  await tab.getByRole('list', { name: 'Threads' }).getByText('Long thoughts').waitFor()
  expect([await field(tab).inputValue(), await told.count()]).toEqual(['', 0])
})

test('an edit of a comment that is deleted meanwhile stays, also after Reload, and becomes a comment', async () => {
  const page = await pro.publish({ html: html('words'), allow_comments: true })
  const tab = await opened(page.url)
  const edit = tab.getByRole('button', { name: 'Edit', exact: true })
  const edited = tab.getByLabel('Your comment', { exact: true })
  const told = tab.getByText('deleted or not shown here: it becomes a new comment')
  await field(tab).fill('Said')
  await post(tab).click()
  for (const button of ['Cancel', 'Save']) {
    await edit.click()
    await edited.fill(`${button} this`)
    await tab.getByRole('button', { name: button, exact: true }).click()
    await edited.waitFor({ state: 'detached' })
  }
  await edit.click()
  expect([await edited.inputValue(), await told.count()]).toEqual(['Save this', 0])
  await edited.fill('Said with more thought')
  const [comment] = await listOf(pro, page)
  const deleted = await pro.call('DELETE', `/pages/${page.id}/comments/${comment!.id}`)
  expect(deleted.status).toBe(204)
  await told.waitFor()
  await tab.keyboard.type(' and care')
  const words = 'Said with more thought and care'
  expect(await field(tab).inputValue()).toBe(words)
  await tab.reload()
  await told.waitFor()
  expect(await field(tab).inputValue()).toBe(words)
  await post(tab).click()
  await tab.getByRole('list', { name: 'Threads' }).getByText(words).waitFor()
  expect([await field(tab).inputValue(), await told.count()]).toEqual(['', 0])
})

const CLAIMS_CLICKS = `<!doctype html><title>x</title><p id=end>The very end.</p><input><script>
const { postMessage } = MessagePort.prototype
MessagePort.prototype.postMessage = function (...args) {
  window.send = (message) => postMessage.call(this, message)
  return postMessage.apply(this, args)
}
localStorage.taken = 'yes'
</script>`

test('a page that claims a click on a comment takes nobody out of what they write', async () => {
  const page = await pro.publish({ html: CLAIMS_CLICKS, allow_comments: true })
  const anchor = { quote: 'The very end', prefix: '', suffix: '.' }
  const comment = { body: 'Good end', anchor }
  const { id } = dataOf<{ id: string }>(
    await pro.call('POST', `/pages/${page.id}/comments`, comment),
    201,
  )
  const tab = await opened(page.url, { width: 1200, height: 800 })
  const frame = await framed(tab, '#end')
  await becomes(() => frame.evaluate(() => CSS.highlights.size > 0), true)
  await pressable(tab)
  await field(tab).pressSequentially('One ')
  for (const takes of [false, true, false, true]) {
    await frame.evaluate(
      ([takes, id]) => {
        if (takes) document.querySelector('input')!.focus()
        ;(window as unknown as { send(message: object): void }).send({ type: 'mark-click', id })
      },
      [takes, id] as const,
    )
    await Bun.sleep(300)
    await tab.keyboard.type('more ')
  }
  expect(await field(tab).inputValue()).toBe('One more more more more ')
  await frame.click('#end', { position: { x: 5, y: 5 } })
  const focused = () =>
    tab.evaluate(
      () => document.querySelector('#conversations')!.shadowRoot!.activeElement?.textContent,
    )
  await becomes(async () => (await focused())?.includes('Good end'), true)
})
