/** The page of a gate that waits for a mail, in a real browser; and the look of its buttons. */
import { expect } from 'bun:test'
import { newWindow } from '../browser.ts'
import { server } from '../server.ts'
import { testBrowser } from '../test-browser.ts'
import { sharedOutbox } from './mail.ts'
import { person } from './person.ts'
import { confirmEmail, newEmail, own, owner, publishGated, submitEmail } from './setup.ts'

const browser = testBrowser()

own(
  'the tab that asked opens the page once another tab has confirmed the address',
  async () => {
    const ann = newEmail()
    const page = await publishGated(await owner(), { access: 'people', allowed_emails: [ann] })
    const { tab, problems } = await newWindow(browser())
    await tab.goto(server.url + page.path)
    await tab.getByLabel('Email').first().fill(ann)
    await tab.getByRole('button', { name: 'Make a link' }).click()
    await tab.getByRole('heading', { name: 'Ask for your code' }).waitFor()
    const mail = await sharedOutbox().last(ann)
    const other = await tab.context().newPage()
    await other.goto(mail.links[0]!)
    await other.getByRole('button', { name: 'Confirm and open' }).click()
    await other.close()
    await tab.getByText(page.content).waitFor()
    expect(tab.url()).toBe(server.url + page.path)
    // The gate itself answers 403, which the console reports.
    expect(problems.filter((text) => !text.includes('403'))).toEqual([])
  },
  60_000,
)

own(
  'while the answer to a typed code is on its way, the tab does not open the page by itself: that is another view',
  async () => {
    const ann = newEmail()
    const page = await publishGated(await owner(), { access: 'email_gate' })
    const { tab } = await newWindow(browser())
    await tab.clock.install()
    await tab.goto(server.url + page.path)
    await tab.getByLabel('Email').first().fill(ann)
    await tab.getByRole('button', { name: 'Make a link' }).click()
    const { code, links } = await sharedOutbox().last(ann)
    await tab.getByLabel('Code').fill(code!)
    // The answer is slow: the document stays.
    await tab.evaluate(() => addEventListener('submit', (event) => event.preventDefault()))
    await tab.getByRole('button', { name: 'Open the page' }).click()
    const other = await tab.context().newPage()
    await other.goto(links[0]!)
    await other.getByRole('button', { name: 'Confirm and open' }).click()
    await other.waitForURL(server.url + page.path)
    await other.close()
    const requests: string[] = []
    tab.on('request', (request) => requests.push(request.url()))
    await tab.clock.fastForward(5000)
    await Bun.sleep(200)
    expect(requests).toEqual([])
    expect((await (await owner()).page(page.page.id)).views).toBe(1)
  },
  60_000,
)

own(
  'the page that waits asks an address that tells it nothing but whether the gate asks',
  async () => {
    const ann = newEmail()
    const by = await owner()
    const page = await publishGated(by, { access: 'people', allowed_emails: [ann] })
    const who = person()
    const answer = await submitEmail(who, page, ann)
    expect(answer.text).toContain('type the code here')
    const before = await who.read(`${page.path}/~/status`)
    expect([before.status, before.text]).toEqual([202, ''])
    await confirmEmail(who, page, ann)
    const after = await who.read(`${page.path}/~/status`)
    expect([after.status, after.text]).toEqual([204, ''])
    expect((await by.page(page.page.id)).views, 'asking is no view').toBe(0)
    expect((await person().read(`${page.path}/~/status`)).status).toBe(202)
  },
)

own(
  '“Sign in” on a gate looks like the buttons of the other gates',
  async () => {
    const by = await owner()
    const isPrivate = await publishGated(by, { access: 'private' })
    const mustSignIn = await publishGated(by, { access: 'people', require_signin: true })
    const locked = await publishGated(by, { access: 'password', password: 'abcd efgh' })
    const looks: object[] = []
    for (const [page, name] of [
      [locked, 'Open the page'],
      [isPrivate, 'Sign in'],
      [mustSignIn, 'Sign in'],
    ] as const) {
      const { tab } = await newWindow(browser())
      await tab.goto(server.url + page.path)
      const button = tab.locator('.button', { hasText: name }).first()
      looks.push(
        await button.evaluate((element) => {
          const { textDecorationLine, color, backgroundColor, height, width } =
            getComputedStyle(element)
          const range = document.createRange()
          range.selectNodeContents(element)
          const [label, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()]
          const isCentred = [
            label.left + label.right - box.left - box.right,
            label.top + label.bottom - box.top - box.bottom,
          ].map((by) => Math.abs(by) < 3)
          return { textDecorationLine, color, backgroundColor, height, width, isCentred }
        }),
      )
    }
    expect(looks[1]).toEqual(looks[0]!)
    expect(looks[2]).toEqual(looks[0]!)
    expect(looks[0]).toMatchObject({ textDecorationLine: 'none', isCentred: [true, true] })
  },
  60_000,
)
