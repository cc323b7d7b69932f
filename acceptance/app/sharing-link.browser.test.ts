/** The link in the sharing dialog: due dates, mails to the owner, search and the preview card. */
import { expect, test } from 'bun:test'
import { becomes } from '../browser.ts'
import { sharedOutbox } from '../gates/mail.ts'
import { newEmail } from '../gates/setup.ts'
import { base64, png, word } from '../material.ts'
import { sharing } from './sharing.ts'

const TIMEOUT = 240_000
const { openSharing } = sharing()

const POLL = { collect_votes: true, poll_question: 'Which?', poll_options: ['Blue', 'Green'] }
const APPROVALS = { collect_approvals: true, approver_emails: ['dora@example.com'] }

/** A page whose head has these tags. */
const withHead = (tags: string, title = word('plan')) => ({
  html: `<!doctype html><html lang=en><head><title>${title}</title>${tags}</head><p>Words`,
})

test(
  'approvers are asked until a day, which is in their mail and is not lost on the way out',
  async () => {
    const email = newEmail('dora')
    const settings = { ...APPROVALS, approver_emails: [email] }
    const { tab, dialog, problems } = await openSharing(settings, { mails: true })
    await dialog.getByRole('button', { name: 'Ask 1 approver by email' }).click()
    const asking = tab.getByRole('dialog', { name: 'Ask for a decision' })
    await asking.getByLabel('Due').fill('2031-05-09')
    await asking.getByRole('button', { name: 'Close' }).click()
    await asking.getByText('Not sent: your request.').waitFor()
    await asking.getByRole('button', { name: 'Stay' }).click()
    expect(await asking.getByLabel('Due').inputValue()).toBe('2031-05-09')
    await asking.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog.getByText('1 approver asked by mail').waitFor()
    const mail = await sharedOutbox().last(email)
    expect(mail.text).toMatch(/It is due by .*2031/)
    await dialog.getByText('mailed, waiting', { exact: true }).waitFor()
    expect(problems).toEqual([])
  },
  TIMEOUT,
)

test(
  'voting ends at a time in the zone of the viewer, and results wait for it',
  async () => {
    const { tab, dialog, stored, saved, problems } = await openSharing(POLL)
    await dialog.getByLabel('Who sees the results').selectOption('closed')
    await dialog.getByText('Nobody does until you say below when voting ends.').waitFor()
    const ends = dialog.getByLabel('Voting ends')
    await ends.fill('2031-05-09T12:00')
    await ends.press('Enter')
    await saved()
    const wanted = await tab.evaluate(() => new Date('2031-05-09T12:00').getTime())
    await becomes(async () => Date.parse(String((await stored('poll_closes_at'))[0])), wanted)
    expect(await stored('poll_results')).toEqual(['closed'])
    await dialog.getByText('Nobody does until').waitFor({ state: 'detached' })
    await ends.fill('2021-05-09T12:00')
    await ends.press('Enter')
    await dialog.getByText('Voting has ended.').waitFor()
    const never = dialog.getByRole('region', { name: 'Ask viewers' }).getByRole('button', {
      name: 'Never',
    })
    await never.click()
    await becomes(() => stored('poll_closes_at'), [null])
    expect(problems).toEqual([])
  },
  TIMEOUT,
)

test(
  'each mail to the owner is a switch, shown where the page has what it is about',
  async () => {
    const { dialog, owner, stored, problems } = await openSharing()
    const mails = dialog.getByRole('region', { name: 'Mails to you' })
    await mails.getByText(owner.email).waitFor()
    const switches = () => mails.getByRole('switch').count()
    expect(await switches()).toBe(2)
    await dialog.getByRole('switch', { name: 'Comments', exact: true }).click()
    await dialog.getByRole('switch', { name: 'Approvals', exact: true }).click()
    await dialog.getByLabel('Approvers', { exact: true }).fill('dora@example.com')
    await dialog.getByLabel('Approvers', { exact: true }).press('Enter')
    await becomes(switches, 4)
    const settings = {
      'Email me when it is opened': 'notify_on_view',
      'Email me when somebody responds': 'notify_on_response',
      'Email me new comments': 'notify_on_comment',
      'Email me each decision': 'notify_on_decision',
    }
    for (const [name, setting] of Object.entries(settings)) {
      const [before] = await stored(setting)
      await mails.getByRole('switch', { name, exact: true }).click()
      await becomes(() => stored(setting), [!before])
    }
    expect(problems).toEqual([])
  },
  TIMEOUT,
)

test(
  'the card shows what the page says of itself as text, until the owner says otherwise',
  async () => {
    const tags =
      '<meta property="og:title" content="&lt;img src=x onerror=alert(1)&gt;">' +
      '<meta name="description" content="What we do in May">'
    const { dialog, stored, choose, saved, problems } = await openSharing(withHead(tags))
    const card = dialog.getByRole('figure', { name: 'Preview of the link' })
    await card.getByText('<img src=x onerror=alert(1)>', { exact: true }).waitFor()
    await card.getByText('What we do in May').waitFor()
    // Of the page's own texts nothing becomes an element: the one image is drawn by the server.
    const drawn = card.getByRole('img', { name: 'Drawn for the link' })
    const width = () => drawn.evaluate((element) => (element as HTMLImageElement).naturalWidth)
    await becomes(width, 1200)
    expect(await card.getByRole('img').count()).toBe(1)
    await dialog.getByLabel('Link description').fill('In June')
    await card.getByText('In June').waitFor()
    await dialog.getByLabel('Link description').press('Enter')
    await becomes(() => stored('og_description'), ['In June'])
    await dialog.getByLabel('Link description').fill('')
    await dialog.getByLabel('Link description').press('Enter')
    await card.getByText('What we do in May').waitFor()
    await becomes(() => stored('og_description'), [null])

    const index = dialog.getByRole('switch', { name: 'Let search engines index it' })
    await index.click()
    await saved()
    await becomes(() => stored('indexed'), [true])
    await choose('Only you')
    await dialog.getByText('Counts only where anyone with the link may open it.').waitFor()
    await card.getByText('What we do in May').waitFor({ state: 'detached' })
    await card.getByText('A page on ').waitFor()
    await drawn.waitFor({ state: 'detached' })
    await card.getByText('once others can open the page').waitFor()
    expect(problems).toEqual([])
  },
  TIMEOUT,
)

test(
  'the card shows an image of the page, and loads none of another server',
  async () => {
    const tags = '<meta property="og:image" content="cover.png">'
    const deck = {
      html: undefined,
      files: [{ path: 'index.html', ...withHead(tags) }],
      assets: [{ path: 'cover.png', data_base64: base64(png()) }],
    }
    const { tab, dialog, owner, id, choose, problems } = await openSharing(deck)
    const card = dialog.getByRole('figure', { name: 'Preview of the link' })
    const image = card.getByRole('img', { name: 'Shown with the link' })
    await image.waitFor()
    const width = () => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)
    await becomes(async () => (await width()) > 0, true)
    await choose('Only you')
    await image.waitFor({ state: 'detached' })
    await choose('Anyone with the link')

    const requests: string[] = []
    tab.on('request', (request) => requests.push(request.url()))
    const elsewhere = '<meta property="og:image" content="https://images.invalid/cover.png">'
    await owner.update(id, { files: [{ path: 'index.html', ...withHead(elsewhere) }] })
    await tab.reload()
    await card.getByText('With an image of images.invalid, which is not loaded here.').waitFor()
    expect(requests.filter((url) => url.includes('images.invalid'))).toEqual([])

    const missing = '<meta property="og:image" content="gone.png">'
    await owner.update(id, { files: [{ path: 'index.html', ...withHead(missing) }] })
    await tab.reload()
    await card.getByText('Its image gone.png is not in the page.').waitFor()
    expect(problems.filter((text) => !text.includes('404'))).toEqual([])
  },
  TIMEOUT,
)

test(
  'a page that is an image is its own preview',
  async () => {
    const file = { html: undefined, file_base64: base64(png()), filename: `${word('map')}.png` }
    const { dialog, problems } = await openSharing(file)
    await dialog.getByRole('img', { name: 'Shown with the link' }).waitFor()
    expect(problems).toEqual([])
  },
  TIMEOUT,
)
