import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { type Browser, createBrowser } from '../../../testing/browser.ts'

const HOSTILE = '</script><script>alert(1)</script><img src=x onerror=alert(1)> "q" \'s\' &amp;'

async function signedIn(app: TestApp, email: string): Promise<Browser> {
  const browser = createBrowser(app)
  await browser.send(await browser.get('/app/sign-in'), { email })
  await browser.send(await browser.get(new URL(app.mails.at(-1)!.button!.url).pathname))
  return browser
}

test('the document has the list painted, with titles as text, under a policy without exceptions', async () => {
  await using app = await testApp('sqlite')
  const owner = await app.owner()
  await owner.publish('<p>x', { title: HOSTILE })
  const browser = await signedIn(app, owner.email)
  const answer = await browser.get('/app')
  const text = await answer.text()
  expect(text).toContain(
    '&lt;/script>&lt;script>alert(1)&lt;/script>&lt;img src=x onerror=alert(1)>',
  )
  expect(text).not.toMatch(/<img|<script>| on\w+="| style="/)
  const csp = answer.headers.get('content-security-policy')!
  const nonce = /script-src 'nonce-([^']+)' 'strict-dynamic';/.exec(csp)![1]!
  expect(csp).toContain(`style-src 'nonce-${nonce}';`)
  expect(csp).not.toContain('unsafe')
  const loaded = [...text.matchAll(/<(?:script|style|link)\b[^>]*>/g)].map(([tag]) => tag)
  expect(loaded.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([
    '<link rel="icon" href="data:,">',
    '<script type="application/json" id="boot">',
  ])
})

test('documents that are made at the same time have nothing of each other', async () => {
  await using app = await testApp('sqlite')
  const names = ['first-one', 'second-one', 'third-one']
  const signed: Browser[] = []
  for (const name of names) {
    const owner = await app.owner({ email: `${name}@example.com` })
    await owner.publish('<p>x', { title: `Secret of ${name}` })
    signed.push(await signedIn(app, owner.email))
  }
  const texts = await Promise.all(
    [...signed, ...signed].map(async (browser) => (await browser.get('/app')).text()),
  )
  for (const [at, text] of texts.entries()) {
    const own = names[at % names.length]!
    expect(text).toContain(`>Secret of ${own}</a>`)
    expect(names.filter((name) => text.includes(name))).toEqual([own])
  }
})
