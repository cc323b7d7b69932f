import { describe, expect, it } from 'bun:test'
import { ENGINES, type TestApp, testApp } from '../../../testing/app.ts'
import { type Browser, createBrowser } from '../../../testing/browser.ts'
import {
  confirmAddress,
  listStored,
  openPage,
  publishForm,
  RAW,
  respond,
} from '../../../testing/form-page.ts'

const [ANN, BOB, _BEN] = ['ann@work.example', 'bob@gmail.com', 'ben@work.example']

/** Signs the browser in to the account of this address. */
async function signIn(app: TestApp, browser: Browser, email: string): Promise<string> {
  const account = (await app.accounts.list()).find((each) => each.email === email)!
  const token = await app.database.write((tx) => app.sessions.create(tx, account.id, null))
  browser.jar.set('handbill_session', token)
  return account.id
}

interface Change {
  from: object
  by: 'nobody' | 'ann' | 'bob' | 'owner' | 'password'
  to: object
  says: number | string
}
const invited = (...emails: string[]) => ({ access: 'people', allowed_emails: emails })
const LOCKED = { access: 'password', password: 'abcd' }
const CHANGES: Change[] = [
  { from: {}, by: 'nobody', to: { access: 'private' }, says: '403 stale' },
  { from: {}, by: 'nobody', to: LOCKED, says: '403 stale' },
  { from: {}, by: 'nobody', to: invited(ANN), says: '403 stale' },
  { from: {}, by: 'nobody', to: { access: 'email_gate' }, says: '403 stale' },
  { from: {}, by: 'nobody', to: { slug: 'another-name' }, says: 200 },
  { from: {}, by: 'owner', to: { access: 'private' }, says: 200 },
  { from: LOCKED, by: 'password', to: { title: 'x' }, says: 200 },
  { from: LOCKED, by: 'password', to: { password: 'wxyz' }, says: '403 stale' },
  { from: LOCKED, by: 'password', to: invited(ANN), says: '403 stale' },
  { from: invited(ANN), by: 'ann', to: invited(ANN, BOB), says: 200 },
  { from: invited(ANN), by: 'ann', to: invited(BOB), says: '403 stale' },
  { from: invited(ANN), by: 'ann', to: { require_signin: true }, says: '403 stale' },
  { from: invited(ANN), by: 'ann', to: { access: 'email_gate' }, says: 200 },
  { from: { access: 'email_gate' }, by: 'bob', to: { business_only: true }, says: '403 stale' },
  { from: { access: 'email_gate' }, by: 'ann', to: { business_only: true }, says: 200 },
  {
    from: { access: 'email_gate' },
    by: 'ann',
    to: { allowed_domains: ['other.example'] },
    says: '403 stale',
  },
]

async function opener(app: TestApp, path: string, { by }: Change): Promise<Browser> {
  if (by === 'ann' || by === 'bob') return confirmAddress(app, path, by === 'ann' ? ANN : BOB)
  const browser = createBrowser(app)
  if (by === 'password') {
    await browser.send(await browser.get(path, RAW), { password: 'abcd' })
  }
  return browser
}

for (const engine of ENGINES) {
  describe(`a token on ${engine}`, () => {
    it('is valid while its viewer may open the page, whatever the owner changes', async () => {
      await using app = await testApp(engine)
      for (const change of CHANGES) {
        const { owner, page, path } = await publishForm(app, change.from)
        const browser = await opener(app, path, change)
        if (change.by === 'owner') await signIn(app, browser, owner.email)
        const opened = await openPage(browser, path)
        await owner.update(page.id, change.to)
        const outcome = { ...change, says: await respond(app, opened) }
        expect(outcome).toEqual(change)
        expect(await listStored(owner, page.id)).toHaveLength(change.says === 200 ? 1 : 0)
      }
    })
  })
}
