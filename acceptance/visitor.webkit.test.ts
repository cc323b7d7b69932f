/** What visitors meet, in WebKit: gates, forms, decks, stored data, PDFs and images. */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { becomes } from './browser.ts'
import { type Page, pro } from './client.ts'
import { sharedOutbox } from './gates/mail.ts'
import { base64, html, pdf, png, word } from './material.ts'
import { report } from './responses/viewer.ts'
import { duringTests } from './test-browser.ts'
import { launchWebKit, type WebKitWindow } from './webkit.ts'

setDefaultTimeout(240_000)

const webkit = duringTests(launchWebKit, (started) => started.close())
let window: WebKitWindow
afterEach(() => window.close())

test('a password opens a page, and a wrong one does not', async () => {
  const { url } = await pro.publish({
    html: html('behind it'),
    access: 'password',
    password: 'open sesame',
  })
  window = await webkit().open()
  await window.goto(url)
  await window.type('input[name=password]', 'nonsense')
  await window.click('button')
  await window.shows('That is not the password.')
  await window.type('input[name=password]', 'open sesame')
  await window.click('button')
  await window.shows('behind it')
})

test('an address is confirmed by the code of the mail', async () => {
  const email = `${word('ann')}@example.com`
  const { url } = await pro.publish({ html: html('for Ann'), access: 'email_gate' })
  window = await webkit().open()
  await window.goto(url)
  await window.type('input[name=email]', email)
  await window.click('button')
  const { code } = await sharedOutbox().last(email)
  await window.type('input[name=code]', code!)
  await window.click('form:has(input[name=code]) button')
  await window.shows('for Ann')
})

const FORM = `<!doctype html><meta charset="utf-8"><title>Survey</title>
<form data-service data-success="Thank you."><label>Name <input name="name"></label>
<label>Seats <input type="number" name="seats" value="2"></label><button>Book</button></form>`

async function bookIn(window: WebKitWindow): Promise<void> {
  await window.type('[name=name]', 'Ann')
  await window.click('button')
  await window.shows('Thank you.')
}

test('a form is collected on a page served directly', async () => {
  const page = await pro.publish({ html: FORM })
  window = await webkit().open()
  await window.goto(page.url)
  await bookIn(window)
  const { responses } = await report(pro, page)
  expect(responses.map(({ data }) => data)).toEqual([{ name: 'Ann', seats: 2 }])
})

test('a gated deck works in the shell: styles, modules, data, moves and forms', async () => {
  const page = await pro.publish({
    access: 'password',
    password: 'open sesame',
    files: [
      {
        path: 'index.html',
        html: `<!doctype html><link rel="stylesheet" href="deck.css"><p id="data"></p>
<a href="/team.html">team</a><script type="module" src="main.js"></script>`,
      },
      { path: 'team.html', html: FORM },
    ],
    assets: [
      ['deck.css', '#data { color: rgb(1, 2, 3) }'],
      [
        'main.js',
        `import { url } from './url.js'
data.textContent = (await (await fetch(url)).json()).n`,
      ],
      ['url.js', `export const url = 'data.json'`],
      ['data.json', '{"n": "from the file"}'],
    ].map(([path, data]) => ({ path, data_base64: base64(data!) })),
  })
  window = await webkit().open()
  await window.goto(page.url)
  await window.type('input[name=password]', 'open sesame')
  await window.click('button')
  await window.enterFrame()
  await window.shows('from the file')
  expect(await window.evaluate('return getComputedStyle(data).color')).toBe('rgb(1, 2, 3)')
  await window.click('a')
  await window.leaveFrame()
  await becomes(() => window.title(), 'Survey')
  expect(await window.url()).toBe(`${page.url}/team.html`)
  await window.enterFrame()
  await bookIn(window)
  expect((await pro.page(page.id)).views).toBe(1)
  expect((await report(pro, page)).responses[0]).toMatchObject({ path: 'team.html' })
})

const STORING = `<!doctype html><title>Storing</title><p id="stored"></p><script>
localStorage.setItem('visits', Number(localStorage.getItem('visits') ?? 0) + 1)
stored.textContent = 'visit ' + localStorage.visits
</script>`

test('a page finds what it has stored after a reload', async () => {
  const { url } = await pro.publish({ html: STORING })
  window = await webkit().open()
  await window.goto(url)
  await window.enterFrame()
  await window.shows('visit 1')
  await window.leaveFrame()
  await window.reload()
  await window.enterFrame()
  await window.shows('visit 2')
})

test('a PDF is shown with its number of pages', async () => {
  const { url } = await pro.publish({ file_base64: base64(pdf()), filename: 'plan.pdf' })
  window = await webkit().open()
  await window.goto(url)
  await becomes(
    () => window.evaluate(`return document.querySelectorAll('canvas').length > 0`),
    true,
  )
})

test('an image is shown whole', async () => {
  const { url } = await pro.publish({ file_base64: base64(png()), filename: 'dot.png' })
  window = await webkit().open()
  await window.goto(url)
  await becomes(() => window.evaluate(`return document.images[0]?.naturalWidth`), 1)
})

test('a page’s script reaches nothing but the page', async () => {
  const { url } = await pro.publish({
    html: `<!doctype html><p id="found"></p><script>
const found = []
try { found.push('cookie ' + document.cookie) } catch { found.push('no cookie') }
try { found.push('storage ' + localStorage.length) } catch { found.push('no storage') }
fetch('/api/v1/pages').then(({ status }) => found.push('api ' + status), () => found.push('no api'))
  .then(() => { document.getElementById('found').textContent = found.join(', ') + ', origin ' + origin })
</script>`,
  })
  window = await webkit().open()
  await window.goto(url)
  await window.enterFrame()
  await window.shows('origin null')
  const text = String(await window.evaluate('return found.textContent'))
  expect(text).not.toMatch(/cookie \S*=|api 200/)
})

async function commentsOn({ id }: Page): Promise<{ body: string; anchor: object | null }[]> {
  const { json } = await pro.call('GET', `/pages/${id}/comments`)
  return (json as { data: { body: string; anchor: object | null }[] }).data
}

test('a selected passage is commented on, and marked', async () => {
  const page = await pro.publish({
    html: html('We meet in <b>May</b>. It costs 20 €.'),
    allow_comments: true,
  })
  window = await webkit().open()
  await window.goto(page.url)
  await window.enterFrame()
  await window.evaluate(`const [words] = document.querySelectorAll('p')
getSelection().selectAllChildren(words)`)
  await window.leaveFrame()
  await window.clickButton('Comment on this')
  await window.fillField('Comment', 'In June, rather')
  await window.fillField('Your name', 'Ann')
  await window.clickButton('Post comment')
  await becomes(async () => (await commentsOn(page)).map(({ body }) => body), ['In June, rather'])
  const [comment] = await commentsOn(page)
  expect(comment!.anchor).toMatchObject({ quote: 'We meet in May. It costs 20 €.' })
  await window.shows('In June, rather')
  await window.enterFrame()
  const marks = `return CSS.highlights.get('handbill-comments').size`
  await becomes(() => window.evaluate(marks), 1)
})

test('a comment and a vote beside a file of a deck are those of the deck', async () => {
  const files = ['index.html', 'costs.html'].map((path) => ({ path, html: html(`About ${path}`) }))
  const page = await pro.publish({
    ...{ files, allow_comments: true, collect_votes: true },
    ...{ poll_question: 'When?', poll_options: ['May', 'June'] },
  })
  window = await webkit().open()
  await window.goto(`${page.url}/costs.html`)
  await window.clickButton('Comments')
  await window.fillField('Comment', 'Too much')
  await window.clickButton('Post comment')
  await window.shows('Too much')
  expect(await commentsOn(page)).toMatchObject([{ body: 'Too much', path: 'costs.html' }])
  await window.clickButton('Poll')
  await window.clickButton('May')
  await window.clickButton('Vote')
  await window.shows('1 vote')
  await window.goto(page.url)
  await window.clickButton('Comments')
  await window.shows('in costs.html')
})

test('a vote is counted', async () => {
  const page = await pro.publish({
    html: html('words'),
    collect_votes: true,
    poll_question: 'When?',
    poll_options: ['May', 'June'],
  })
  window = await webkit().open()
  await window.goto(page.url)
  await window.clickButton('Poll')
  await window.shows('When?')
  await window.clickButton('June')
  await window.clickButton('Vote')
  await window.shows('1 vote')
  const { json } = await pro.call('GET', `/pages/${page.id}/poll`)
  expect((json as { data: { total_votes: number } }).data.total_votes).toBe(1)
})

test('an approver decides by the link of the mail', async () => {
  const email = `${word('approver')}@example.com`
  const page = await pro.publish({
    html: html('words'),
    collect_approvals: true,
    approver_emails: [email],
  })
  window = await webkit().open()
  await pro.call('POST', `/pages/${page.id}/approvals/requests`, {})
  const { links } = await sharedOutbox().last(email)
  await window.goto(links[0]!)
  await window.clickButton('Open and decide')
  await window.shows('You are asked to approve version 1')
  await window.fillField('Note', 'Fine by me')
  await window.clickButton('Approve')
  await window.clickButton('Approve version 1')
  await becomes(() => window.evaluate(`return document.querySelector('h1')?.innerText`), 'Approved')
  const { json } = await pro.call('GET', `/pages/${page.id}/approvals`)
  const approved = { email, decision: 'approved', note: 'Fine by me', version_no: 1 }
  expect((json as { data: object }).data).toMatchObject({ approvers: [approved] })
  // The panel is open where it was left.
  await window.goto(page.url)
  await window.shows('You approved version 1')
})
