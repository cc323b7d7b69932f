import type { Page } from '../../model/page/index.ts'
import type { Db } from '../../platform/db/index.ts'
import { displayEmail } from '../../platform/display-email.ts'
import type { Services } from '../../platform/services.ts'
import type { LinkRow, Links } from '../links/index.ts'
import type { Views } from '../views/index.ts'
import type { People, PeopleQuery, Person } from './contract.ts'

interface PeopleDeps extends Pick<Services, 'database'> {
  links: Links
  views: Views
}
export type PeopleOfPages = ReturnType<typeof createPeople>

type Confirmed = Awaited<ReturnType<Views['confirmedViewers']>>[number]

/** What is known of each person whom a page was sent to, or who confirmed an address on it. */
export function createPeople({ database, links, views }: PeopleDeps) {
  const lineOfLink = (row: LinkRow): Person => ({
    ...nothingKnown,
    who: row.label,
    via: 'link',
    link_id: row.id,
    email: row.email === null ? null : displayEmail(row.email),
    state: links.stateOf(row),
    sent: row.sent_at === null ? null : { at: row.sent_at, bounced_at: row.bounced_at },
    opened: { ...openedOf(row), views: row.opens },
  })

  async function lines(db: Db, page: Page, { filter, limit, offset }: PeopleQuery) {
    const ofPage = await links.ofPage(db, page.id)
    const shown = filter === undefined ? ofPage : ofPage.filter(isUnopened)
    const people = shown.slice(offset, offset + limit).map(lineOfLink)
    const skip = Math.max(0, offset - shown.length)
    const isFull = filter !== undefined || people.length === limit
    const more = isFull ? 0 : limit - people.length
    const found = await views.confirmedViewers(db, page.id, { limit: more + 1, offset: skip })
    const isMore = offset + limit < shown.length || (filter === undefined && found.length > more)
    people.push(...found.slice(0, more).map(lineOfAddress))
    return { ofPage, people, next_offset: isMore ? offset + limit : null }
  }

  return {
    async list(page: Page, query: PeopleQuery): Promise<People> {
      await views.flush()
      return database.snapshot(async (db) => {
        const { ofPage, people, next_offset } = await lines(db, page, query)
        const counted = await views.viewsOf(db, page.id)
        const byLink = ofPage.reduce((sum, { opens }) => sum + opens, 0)
        return { data: { views: counted, without_link: counted - byLink, people }, next_offset }
      })
    },
  }
}

const nothingKnown = {
  ...{ link_id: null, email: null, state: null, addresses: [], links: [], sent: null },
  ...{ progress: null, seconds: null, responses: 0, comments: 0, votes: 0, decision: null },
  ...{ refusals: [], reminder: null },
} satisfies Partial<Person>

function lineOfAddress({ email, views, first_at, last_at, ...measured }: Confirmed): Person {
  const { seconds, last_sheet: sheet } = measured
  return {
    ...nothingKnown,
    ...{ who: displayEmail(email), via: 'address', email: displayEmail(email) },
    opened: { views, first_at, last_at, devices: null },
    progress: sheet === null ? null : { sheet, sections: null },
    seconds: seconds === 0 ? null : seconds,
  }
}

function openedOf({ first_opened_at: first_at, last_opened_at: last_at }: LinkRow) {
  return { first_at, last_at, devices: null }
}

function isUnopened({ first_opened_at: at }: LinkRow): boolean {
  return at === null
}
