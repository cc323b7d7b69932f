/** Back and Reload at a gate that has answered a form: browsers must not ask to send it again. */
import { expect } from 'bun:test'
import { newWindow } from '../browser.ts'
import { server } from '../server.ts'
import { testBrowser } from '../test-browser.ts'
import { sharedOutbox } from './mail.ts'
import { newEmail, newOwner, own, owner, publishGated } from './setup.ts'

const TIMEOUT = 240_000
const browser = testBrowser()

own(
  'whoever mistyped a password comes back to the page, with its query, and can reload before that',
  async () => {
    const page = await publishGated(await owner(), { access: 'password', password: 'open sesame' })
    const { tab } = await newWindow(browser())
    await tab.goto(`${server.url + page.path}?q=1`)
    const give = async (password: string) => {
      await tab.getByLabel('Password').fill(password)
      await tab.getByRole('button', { name: 'Open the page' }).click()
    }
    const posts: string[] = []
    tab.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
    await give('wrong')
    await tab.getByText('That is not the password.').waitFor()
    await tab.reload()
    await tab.getByRole('heading', { name: 'This page has a password' }).waitFor()
    expect(posts).toHaveLength(1)
    await give('wrong')
    await tab.getByText('That is not the password.').waitFor()
    await give('open sesame')
    await tab.getByText(page.content).waitFor()
    await tab.goBack()
    await tab.getByText(page.content).waitFor()
    expect(tab.url()).toBe(`${server.url + page.path}?q=1`)
    expect(posts).toHaveLength(3)
    await tab.context().close()
  },
  TIMEOUT,
)

own(
  'whoever mistyped a code comes back to the address, and from the page to the page',
  async () => {
    const page = await publishGated(await owner(), { access: 'email_gate' })
    const ann = newEmail()
    const { tab } = await newWindow(browser())
    await tab.goto(server.url + page.path)
    const ask = async (email: string) => {
      await tab.getByLabel('Email').fill(email)
      await tab.getByRole('button', { name: 'Make a link' }).click()
      await tab.getByRole('heading', { name: 'Ask for your code' }).waitFor()
    }
    const give = async (code: string) => {
      await tab.getByLabel('Code').fill(code)
      await tab.getByRole('button', { name: 'Open the page' }).click()
    }
    await ask(newEmail())
    await give('123')
    await tab.getByText('This code is wrong').waitFor()
    await tab.goBack()
    await ask(ann)
    await give('123')
    await tab.getByText('This code is wrong').waitFor()
    const { code } = await sharedOutbox().last(ann)
    await give(code!)
    await tab.getByText(page.content).waitFor()
    await tab.goBack()
    await tab.getByText(page.content).waitFor()
    await tab.context().close()
  },
  TIMEOUT,
)

own(
  'whoever asked the owner, or for a mail to sign in, can reload: nothing is sent again',
  async () => {
    const page = await publishGated(await owner(), {
      ...{ access: 'people', allowed_emails: [newEmail()], allow_access_requests: true },
    })
    const { tab } = await newWindow(browser())
    const posts: string[] = []
    tab.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
    await tab.goto(`${server.url + page.path}?q=1`)
    await tab.getByText('Not invited yet').click()
    await tab.getByLabel('Your email').fill(newEmail())
    await tab.getByRole('button', { name: 'Ask the owner' }).click()
    await tab.getByRole('heading', { name: 'Your request is on its way' }).waitFor()
    await tab.reload()
    await tab.getByRole('heading', { name: 'This page is for invited people' }).waitFor()
    expect([posts.length, tab.url()]).toEqual([1, `${server.url + page.path}?q=1`])

    const { email } = await newOwner()
    await tab.goto(`${server.url}/app/sign-in`)
    await tab.getByLabel('Email').fill(email)
    await tab.getByRole('button', { name: 'Make a link' }).click()
    await tab.getByText(`for ${email}`).waitFor()
    const code = tab.getByLabel('Code')
    await tab.reload()
    await code.fill('123')
    await tab.getByRole('button', { name: 'Confirm' }).click()
    await tab.getByText('This code is wrong').waitFor()
    await tab.reload()
    expect(posts).toHaveLength(3)
    await code.fill((await sharedOutbox().last(email)).code!)
    await tab.getByRole('button', { name: 'Confirm' }).click()
    await tab.waitForURL('**/app')
    await tab.context().close()
  },
  TIMEOUT,
)
