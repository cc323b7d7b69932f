import { BYTE_ORDER_MARK, csvLine, quotedText } from '../../model/csv.ts'
import { Download } from '../../model/download.ts'
import { implement, type Operation } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import * as contracts from './contract.ts'
import type { PeopleOfPages } from './people.ts'

export function peopleOperations(people: PeopleOfPages): Operation[] {
  return [
    implement(contracts.listPeople, async ({ page }, query) =>
      query.format === 'csv' ? csvOf(people, page, query) : people.list(page, query),
    ),
    implement(contracts.remindPeople, async ({ page }, input) => ({
      data: await people.remind(page, input),
    })),
  ]
}

/** So many lines of a file are read at once. */
const LINES = 500

const COLUMNS: Record<string, (line: contracts.Person) => string | number | null | undefined> = {
  who: ({ who }) => who,
  via: ({ via }) => via,
  link_id: ({ link_id }) => link_id,
  email: ({ email }) => email,
  state: ({ state }) => state,
  addresses: ({ addresses }) => addresses.join(' '),
  links: ({ links }) => links.map(({ label }) => label).join(', '),
  sent_at: ({ sent }) => sent?.at,
  bounced_at: ({ sent }) => sent?.bounced_at,
  views: ({ opened }) => opened.views,
  first_opened_at: ({ opened }) => opened.first_at,
  last_opened_at: ({ opened }) => opened.last_at,
  devices: ({ opened }) => opened.devices,
  sheet: ({ progress }) => progress?.sheet,
  sections: ({ progress }) => progress?.sections,
  seconds: ({ seconds }) => seconds,
  responses: ({ responses }) => responses,
  comments: ({ comments }) => comments,
  votes: ({ votes }) => votes,
  decision: ({ decision }) => decision?.decision,
  decided_at: ({ decision }) => decision?.decided_at,
  refusals: ({ refusals }) => refusals.map(({ reason, count }) => `${reason} ${count}`).join(', '),
  reminders: ({ reminder }) => reminder?.count,
}

function csvOf(people: PeopleOfPages, page: Page, query: contracts.PeopleQuery): Download {
  async function* chunks() {
    yield BYTE_ORDER_MARK + csvLine(Object.keys(COLUMNS))
    for (let offset: number | null = 0; offset !== null; ) {
      const read: contracts.People = await people.list(page, { ...query, limit: LINES, offset })
      for (const line of read.data.people) {
        const cells = Object.values(COLUMNS).map((cell) => quotedText(String(cell(line) ?? '')))
        yield csvLine(cells)
      }
      offset = read.next_offset
    }
  }
  const filename = `${page.slug}-people.csv`
  return new Download({ filename, mime: 'text/csv; charset=utf-8', chunks: chunks() })
}
