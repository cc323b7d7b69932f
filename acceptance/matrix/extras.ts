/** What a page has besides, and what happens to it: the dimension that the others meet. */
import { expect } from 'bun:test'
import { browser, dataOf, send } from '../client.ts'
import { besideThePassage } from './cards.ts'
import type { Extra, Visit } from './cell.ts'
import { leaveBy } from './steps.ts'
import { loadedFrom, throughTrash } from './trash.ts'
import { fill, reads, until } from './visit.ts'

const AGREEMENT = 'Keep this to yourself, <b>all of it</b>.'

export const EXTRAS: readonly Extra[] = [
  { name: 'nothing more', stores: false, html: '', settings: {}, isFor: () => true },
  {
    name: 'asked',
    stores: false,
    html: '',
    settings: {},
    isAsked: true,
    isFor: ({ gate, thing }) => {
      if (thing.question === undefined || gate.isOwner) return false
      const isForPeople = gate.settings({ email: '' }).access === 'people'
      return isForPeople || thing.name === 'approval'
    },
    async check({ askId, site, email }) {
      expect(dataOf<object>(await site.owner.call('GET', `/asks/${askId}`))).toMatchObject({
        ...{ outcome: 'all_answered', waiting: [], answered: [{ who: email }] },
      })
    },
  },
  {
    name: 'view limit',
    stores: false,
    html: '',
    settings: { max_views: 1 },
    events: ['page_closed'],
    isFor: () => true,
    async check({ page, cell }) {
      if (cell.gate.isOwner) return
      const stranger = await send(page.url, { headers: browser })
      expect([stranger.status, stranger.text.includes('no longer available')]).toEqual([410, true])
    },
  },
  {
    name: 'notify',
    stores: false,
    html: '',
    settings: { notify_on_view: true },
    isFor: () => true,
    async check({ page, cell, site }) {
      const mails = () =>
        site.outbox
          .sentTo(site.owner.email)
          .filter(({ subject }) => subject === `“${page.title}” was opened`)
      const count = cell.gate.isOwner ? 0 : 1
      await until(
        async () => mails().length === count,
        `${count} mails to the owner`,
        async () =>
          mails()
            .map(({ subject }) => subject)
            .join(', '),
      )
    },
  },
  {
    name: 'storage',
    stores: true,
    html: `<p id="stored"></p><script>
localStorage.visits = Number(localStorage.visits ?? 0) + 1
document.querySelector('#stored').textContent = 'Visit ' + localStorage.visits
</script>`,
    settings: {},
    isFor: ({ kind }) => kind.hasHtml,
    async check(visit) {
      await visit.open()
      await reads(visit.content, 'Visit 2')
    },
  },
  {
    name: 'agreement',
    stores: false,
    html: '',
    settings: { agreement: { text: AGREEMENT } },
    events: ['agreement'],
    isFor: () => true,
    async pass({ top }) {
      await reads(top, AGREEMENT)
      await fill(top, 'Your name', 'Vic')
      await leaveBy(top, 'Agree and open')
    },
    async check(visit) {
      const { cell, page, email } = visit
      const { acceptances } = await visit.read<{ acceptances: object[] }>('agreements')
      const { confirmsEmail } = cell.gate
      expect(acceptances).toMatchObject(
        cell.gate.isOwner ? [] : [{ name: 'Vic', email: confirmsEmail ? email : null }],
      )
      await visit.open()
      for (const address of await loadedFrom(visit)) {
        // Browsers ask for the icon of the host by themselves, which is no part of the page.
        const isOther = /\/~v1|\/~\/frame|\/favicon\.ico$/.test(address)
        const stranger = await send(address, { headers: browser, redirect: 'follow' })
        if (!isOther) expect([address, stranger.status]).toEqual([address, 403])
        if (!isOther) expect(stranger.text).not.toContain(page.title!)
      }
    },
  },
  {
    name: 'watermark',
    stores: false,
    html: '',
    settings: { watermark: true },
    isFor: ({ kind }) => !kind.hasHtml,
    async check(visit) {
      const { page, cell, top } = visit
      await visit.open()
      const hash = await top.evaluate(`fetch(location.pathname)
        .then((answer) => answer.arrayBuffer())
        .then((bytes) => crypto.subtle.digest('SHA-256', bytes))
        .then((hash) => new Uint8Array(hash).toHex())`)
      if (cell.gate.isOwner) expect(hash).toBe(page.sha256)
      else expect(hash).not.toBe(page.sha256)
    },
  },
  {
    name: 'named link',
    stores: false,
    html: '',
    settings: {},
    events: ['opened'],
    isFor: () => true,
    async addressOf({ page, site }) {
      const link = await site.owner.call('POST', `/pages/${page.id}/links`, { label: 'Vic' })
      return dataOf<{ url: string }>(link, 201).url
    },
    async check(visit) {
      const opens = visit.cell.gate.isOwner ? 0 : 1
      const isOpened = async () => (await linkOf(visit)).first_opened_at !== null
      if (opens > 0)
        await until(isOpened, 'opened', async () => JSON.stringify(await linkOf(visit)))
      expect(await linkOf(visit)).toMatchObject({ label: 'Vic', opens })
    },
  },
  {
    name: 'trash',
    stores: false,
    html: '',
    settings: {},
    isFor: () => true,
    // What is used is a page that came back; what visitors have said then comes back as well.
    arrive: throughTrash,
    check: throughTrash,
  },
  {
    name: 'cards',
    stores: false,
    html: '<p id="beside" style="margin-top: 150px">Beside this</p>',
    settings: {},
    isWide: true,
    isFor: ({ thing }) => thing.isConversation && 'allow_comments' in thing.settings({ email: '' }),
    check: besideThePassage,
  },
]

async function linkOf(visit: Visit): Promise<{ first_opened_at: string | null }> {
  return (await visit.read<{ first_opened_at: string | null }[]>('links'))[0]!
}
