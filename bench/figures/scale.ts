import type { Bench, Figure } from '../figure.ts'
import type { Row } from '../report.ts'
import { openSeeding } from '../seed-activity.ts'
import { seed } from '../seeding.ts'
import { type CreatedPage, type Handbill, type Owner, ownerOf, startHandbill } from '../servers.ts'
import { inMs, spreadOf } from '../stats.ts'
import { read, timed } from '../timing.ts'
import { FORM, respondOften } from './responses.ts'

const SIZES = [100, 10_000, 1_000_000]
const PAGES_A_ROUND = 100
const VIEWS_OF_EACH = 5
const LISTS_A_ROUND = 20
const GOAL = 1.5
/** The numbers of responses and comments of a page, on the smallest server and on the others. */
const FEW = 100
const MANY = 10_000

/** A server with a number of pages, and its measurements. */
interface Instance {
  pages: number
  handbill: Handbill
  owner: Owner
  sample: { id: string; slug: string }[]
  first: number[]
  again: number[]
  list: number[]
  deep: number[]
  /** A page with responses and comments: few, or as many as this server has. */
  few: CreatedPage
  most: CreatedPage
  viewMost: number[]
  reportFew: number[]
  reportMost: number[]
}

const nothingMeasured = () => ({
  ...{ first: [], again: [], list: [], deep: [] },
  ...{ viewMost: [], reportFew: [], reportMost: [] },
})

/** (f) The same requests with a hundred pages and with a million pages. */
export const scale: Figure = {
  letter: 'f',
  about: 'view, list and report time at 100, 10,000 and 1,000,000 pages',
  async measure(bench) {
    await using stack = new AsyncDisposableStack()
    const sizes = bench.isQuick ? SIZES.filter((pages) => pages <= 10_000) : SIZES
    const instances: Instance[] = []
    for (const pages of sizes) {
      const { key, sample, dataDir } = await seed(bench, pages)
      const handbill = stack.use(await startHandbill(dataDir))
      const owner = ownerOf(handbill.url, key)
      const few = await gather(handbill, owner, FEW)
      const most = pages === SIZES[0] ? few : await gather(handbill, owner, MANY)
      instances.push({ ...{ pages, handbill, owner, sample, few, most }, ...nothingMeasured() })
    }
    bench.log('views, lists and reports, alternating')
    await measureAll(instances, bench)
    const { first, again, list, reportMost } = instances[0]!
    bench.note(
      '(f) alternates between the servers. A first view follows a change of the page, so nothing ' +
        'of it is in memory. Each value is the median of GETs over a reused connection: ' +
        `${first.length} first views, ${again.length} later views, ${list.length} lists and ` +
        `${reportMost.length} reports. The list from the middle of a hundred pages skips too few to ` +
        `use counts. On the smallest server no page has more than ${FEW} responses.`,
    )
    return [
      rowOf('(f) first view of a page', instances, ({ first }) => first),
      rowOf('    later view of a page', instances, ({ again }) => again),
      rowOf('    list 100, newest', instances, ({ list }) => list),
      rowOf('    list 50 from the middle', instances, ({ deep }) => deep),
      rowOf(`    report of ${FEW} responses`, instances, ({ reportFew }) => reportFew),
      rowOf(`    view of a page with ${manyOf('responses')}`, instances, (each) => each.viewMost),
      rowOf(`    report of ${manyOf('responses')}`, instances, (each) => each.reportMost),
    ]
  },
}

/** Alternates so often that other load on the host affects every size alike. */
async function measureAll(instances: Instance[], { rounds }: Bench): Promise<void> {
  // The first two rounds warm up: the code of a new server is not compiled yet.
  for (let round = -2; round < rounds; round++) {
    if (round === 0) {
      for (const instance of instances) Object.assign(instance, nothingMeasured())
    }
    await measureViews(instances, round + 2)
    for (let i = 0; i < LISTS_A_ROUND; i++) {
      for (const instance of instances) await measureLists(instance)
    }
  }
}

const manyOf = (what: string) => `${MANY.toLocaleString('en')} ${what} (first: ${FEW})`

/** Makes a page with so many responses and comments. */
async function gather(handbill: Handbill, owner: Owner, count: number): Promise<CreatedPage> {
  const page = await owner.create({ html: FORM, title: `With ${count}`, allow_comments: true })
  await respondOften(`${handbill.url}/p/${page.slug}`, 1, false)
  await owner.call('POST', `/pages/${page.id}/comments`, { body: 'Words' })
  const seeding = openSeeding(handbill.dataDir)
  seeding.copyResponse(page.id, count - 1)
  seeding.copyComment(page.id, count - 1)
  seeding.close()
  return page
}

async function measureViews(instances: Instance[], round: number): Promise<void> {
  for (const instance of instances) await uncache(instance, round)
  for (let view = 0; view <= VIEWS_OF_EACH; view++) {
    for (let i = 0; i < PAGES_A_ROUND; i++) {
      for (const instance of instances) {
        const { slug } = pageOf(instance, i)
        const ms = await timed(() => read(`${instance.handbill.url}/p/${slug}`))
        if (view === 0) instance.first.push(ms)
        else instance.again.push(ms)
      }
    }
  }
}

/** As many pages at every size: what is kept of their content is kept everywhere. */
function pageOf({ sample }: Instance, i: number): { id: string; slug: string } {
  return sample[i % PAGES_A_ROUND]!
}

/** Changes pages and changes them back, so that the server removes them from its caches. */
async function uncache(instance: Instance, round: number): Promise<void> {
  for (const ogTitle of [`Round ${round}`, null]) {
    for (let i = 0; i < PAGES_A_ROUND; i++) {
      const { id } = pageOf(instance, i)
      await instance.owner.call('PATCH', `/pages/${id}`, { og_title: ogTitle })
    }
  }
}

async function measureLists(instance: Instance): Promise<void> {
  const { handbill, owner, pages, list, deep, few, most } = instance
  const headers = { authorization: `Bearer ${owner.key}` }
  // The lists have the same length at every size, also with a hundred pages.
  const url = `${handbill.url}/api/v1/pages`
  list.push(await timed(() => read(`${url}?limit=100`, headers)))
  deep.push(await timed(() => read(`${url}?limit=50&offset=${pages / 2}`, headers)))
  instance.viewMost.push(await timed(() => read(`${handbill.url}/p/${most.slug}`)))
  instance.reportFew.push(await timed(() => read(`${url}/${few.id}/responses`, headers)))
  instance.reportMost.push(await timed(() => read(`${url}/${most.id}/responses`, headers)))
}

function rowOf(
  figure: string,
  instances: Instance[],
  valuesOf: (instance: Instance) => number[],
): Row {
  const medians = instances.map((instance) => spreadOf(valuesOf(instance)).median)
  const growth = Math.max(...medians) / Math.min(...medians)
  const values = instances.map(
    ({ pages }, i) => `${pages.toLocaleString('en')}: ${inMs(medians[i]!)}`,
  )
  return {
    figure,
    ours: values.slice(1).join('; '),
    peer: values[0]!,
    value: `${growth.toFixed(2)}x`,
    goal: `≤ ${GOAL}x`,
    met: growth <= GOAL,
  }
}
