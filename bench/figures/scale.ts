import { read, timed } from '../clock.ts'
import type { Figure, Lab } from '../lab.ts'
import type { Row } from '../report.ts'
import { seed } from '../seeding.ts'
import { type Handbill, type Owner, ownerOf, startHandbill } from '../servers.ts'
import { inMs, spreadOf } from '../stats.ts'

const SIZES = [100, 10_000, 1_000_000]
const PAGES_A_ROUND = 100
const VIEWS_OF_EACH = 5
const LISTS_A_ROUND = 20
const GOAL = 1.5

/** One server with so many pages, and what was measured of it. */
interface Place {
  pages: number
  handbill: Handbill
  owner: Owner
  sample: { id: string; slug: string }[]
  first: number[]
  again: number[]
  list: number[]
  deep: number[]
}

/** (f) The same requests with a hundred pages and with a million. */
export const scale: Figure = {
  letter: 'f',
  about: 'view and list time at 100, 10,000 and 1,000,000 pages',
  async measure(lab) {
    await using stack = new AsyncDisposableStack()
    const sizes = lab.isQuick ? SIZES.filter((pages) => pages <= 10_000) : SIZES
    const places: Place[] = []
    for (const pages of sizes) {
      const { key, sample, dataDir } = await seed(lab, pages)
      const handbill = stack.use(await startHandbill(dataDir))
      const owner = ownerOf(handbill.url, key)
      places.push({ pages, handbill, owner, sample, first: [], again: [], list: [], deep: [] })
    }
    lab.say('views and lists, in turn')
    await measureAll(places, lab)
    lab.note(
      '(f) takes turns between the servers. A first view is the first since a change of the page, ' +
        'so nothing of it is in memory; each is one GET over a kept connection, median of ' +
        `${places[0]!.first.length}, ${places[0]!.again.length} and ${places[0]!.list.length}.`,
    )
    return [
      row('(f) first view of a page', places, ({ first }) => first, true),
      row('    view of a page seen before', places, ({ again }) => again, true),
      row('    list 100, newest', places, ({ list }) => list, true),
      row('    list 50 from the middle', places, ({ deep }) => deep, false),
    ]
  },
}

/** In turns so short that whatever else the machine does falls on every size alike. */
async function measureAll(places: Place[], { rounds }: Lab): Promise<void> {
  // Two rounds more than are kept: the code of a server that just began is not compiled yet.
  for (let round = -2; round < rounds; round++) {
    if (round === 0) {
      for (const place of places) Object.assign(place, { first: [], again: [], list: [], deep: [] })
    }
    await measureViews(places, round + 2)
    for (let i = 0; i < LISTS_A_ROUND; i++) {
      for (const place of places) await measureLists(place)
    }
  }
}

async function measureViews(places: Place[], round: number): Promise<void> {
  for (const place of places) await forget(place, round)
  for (let visit = 0; visit <= VIEWS_OF_EACH; visit++) {
    for (let i = 0; i < PAGES_A_ROUND; i++) {
      for (const place of places) {
        const { slug } = pageOf(place, round, i)
        const ms = await timed(() => read(`${place.handbill.url}/p/${slug}`))
        if (visit === 0) place.first.push(ms)
        else place.again.push(ms)
      }
    }
  }
}

/** Other pages every round, where there are so many. */
function pageOf({ sample }: Place, round: number, i: number): { id: string; slug: string } {
  return sample[(round * PAGES_A_ROUND + i) % sample.length]!
}

/** A change of the page, and back: the server drops what it has of it in memory. */
async function forget(place: Place, round: number): Promise<void> {
  for (const ogTitle of [`Round ${round}`, null]) {
    for (let i = 0; i < PAGES_A_ROUND; i++) {
      const { id } = pageOf(place, round, i)
      await place.owner.call('PATCH', `/pages/${id}`, { og_title: ogTitle })
    }
  }
}

async function measureLists({ handbill, owner, pages, list, deep }: Place): Promise<void> {
  const headers = { authorization: `Bearer ${owner.key}` }
  // As many rows at every size: of a hundred pages, too.
  const url = `${handbill.url}/api/v1/pages`
  list.push(await timed(() => read(`${url}?limit=100`, headers)))
  deep.push(await timed(() => read(`${url}?limit=50&offset=${pages / 2}`, headers)))
}

function row(
  figure: string,
  places: Place[],
  valuesOf: (place: Place) => number[],
  hasGoal: boolean,
): Row {
  const medians = places.map((place) => spreadOf(valuesOf(place)).median)
  const growth = Math.max(...medians) / Math.min(...medians)
  const told = places.map(({ pages }, i) => `${pages.toLocaleString('en')}: ${inMs(medians[i]!)}`)
  return {
    figure,
    ours: told.slice(1).join('; '),
    peer: told[0]!,
    value: `${growth.toFixed(2)}x`,
    goal: hasGoal ? `≤ ${GOAL}x` : 'none',
    met: hasGoal ? growth <= GOAL : null,
  }
}
