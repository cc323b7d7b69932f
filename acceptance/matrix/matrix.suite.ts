/** Runs cells of the matrix in a browser. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { dataOf, type Fields, type Owner, type Page } from '../client.ts'
import { word } from '../material.ts'
import { cleanUp } from '../start.ts'
import type { Cell, Visit } from './cell.ts'
import { nameOf } from './cells.ts'
import { type Heard, type Site, type Sites, startSites } from './sites.ts'
import { type MatrixWindow, until } from './visit.ts'

export type OpenWindow = (size: { isWide: boolean }) => Promise<MatrixWindow>

/**
 * Tests the cells, those of one kind and delivery together. A failure names each cell that failed.
 *
 * @param atOnce how many cells are tried at the same time
 */
export function matrixSuite(open: OpenWindow, cells: readonly Cell[], atOnce: number): void {
  // In each file that calls this: the module is loaded once for all of them.
  setDefaultTimeout(360_000)
  let sites: Sites
  beforeAll(async () => {
    sites = await startSites()
  }, 60_000)
  afterAll(async () => {
    await cleanUp()
    await Promise.all(Object.values(sites).map((site) => site.close()))
  })

  const pages = Object.entries(
    Object.groupBy(cells, ({ kind, delivery }) => `${kind.name}, ${delivery.name}`),
  )
  test.each(pages)('%s: behind each gate, everything on it works', async (_, group) => {
    const failures: string[] = []
    const heard: Heard[] = []
    const { site } = group![0]!.delivery
    const waiting = [...group!]
    const work = async () => {
      for (let cell = waiting.shift(); cell !== undefined; cell = waiting.shift()) {
        const window = await open({ isWide: cell.extra.isWide === true })
        await tryCell(cell, sites[site], window).then(
          (events) => heard.push(...events),
          (error: Error) => failures.push(`${nameOf(cell!)}: ${error.message}`),
        )
        await window.close()
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    await expectReceived(sites[site], heard).catch(({ message }) => failures.push(message))
    if (failures.length > 0) {
      throw new Error(`${failures.length} of ${group!.length} failed\n${failures.join('\n')}`)
    }
  })
}

/** @returns what the owner's feedback has of it */
async function tryCell(cell: Cell, site: Site, window: MatrixWindow): Promise<Heard[]> {
  const visit = await publish(cell, site, window)
  await visit.open()
  const { views } = await visit.read<{ views: number }>('')
  expect(views, 'views').toBe(cell.gate.isOwner ? 0 : 1)
  await cell.extra.arrive?.(visit)
  await cell.thing.use(visit)
  await cell.extra.check?.(visit)
  expect(window.errors(), 'errors of scripts').toEqual([])
  const { items } = await visit.read<{ items: Heard[] }>('feedback?cursor=start')
  expect(items.map(({ type }) => type)).toEqual([...arrivalOf(cell), ...cell.thing.events(cell)])
  return items
}

/** What is told of the visit itself: an agreement is accepted before the page opens. */
function arrivalOf({ gate, extra }: Cell): readonly string[] {
  const events = gate.isOwner ? [] : (extra.events ?? [])
  const opened = gate.confirmsEmail ? ['opened'] : []
  return events[0] === 'agreement' ? [...events, ...opened] : [...opened, ...events]
}

/** The webhook brings what feedback has, each once and in its order. */
async function expectReceived(site: Site, heard: readonly Heard[]): Promise<void> {
  const ofPages = Object.groupBy(heard, ({ page_id: id }) => id)
  const idsOf = (events: readonly Heard[]) => events.map(({ id }) => id)
  const received = (page: string) => idsOf(site.received().filter((each) => each.page_id === page))
  for (const [page, events] of Object.entries(ofPages)) {
    const isThere = async () => received(page).length >= events!.length
    await until(isThere, `deliveries of ${page}`, async () => received(page).join())
    expect(received(page)).toEqual(idsOf(events!))
  }
}

async function publish(cell: Cell, site: Site, window: MatrixWindow): Promise<Visit> {
  const { kind, delivery, gate, thing, extra } = cell
  const { owner } = site
  const email = gate.isOwner ? owner.email : `${word('vic')}@example.com`
  const page = await owner.publish({
    ...(await kind.content(thing.html + extra.html + delivery.html)),
    ...{ title: word('matrix'), ...extra.settings },
    ...{ ...gate.settings({ email }), ...(!extra.isAsked && thing.settings({ email })) },
  })
  const askId = extra.isAsked
    ? await askOn(page, { owner, email, question: thing.question! })
    : null
  const content = delivery.isFramed(cell) ? window.frame : window.top
  let isIn = false
  const visit: Visit = {
    ...{ cell, site, page, email, askId, content, submissions: 0 },
    ...{ goto: window.goto, top: window.top },
    async open() {
      const first = isIn ? undefined : await extra.addressOf?.(visit)
      await window.goto(first ?? page.url)
      if (!isIn) await gate.pass?.(visit)
      if (!isIn && !gate.isOwner) await extra.pass?.(visit)
      isIn = true
      const address = () => content.evaluate('location.href').catch(String) as Promise<string>
      const isThere = async () => delivery.address.test(await address())
      await until(isThere, `content at ${delivery.address}`, address)
      await kind.goOn?.(visit)
    },
    read: async <T>(what: string) => {
      const path = `/pages/${page.id}${what && `/${what}`}`
      return dataOf<T>(await owner.call('GET', path))
    },
  }
  return visit
}

/** @returns the id of the ask */
async function askOn(
  page: Page,
  { owner, email, question }: { owner: Owner; email: string; question: Fields },
): Promise<string> {
  const answer = await owner.call('POST', '/asks', { page_id: page.id, people: [email], question })
  return dataOf<{ id: string }>(answer, 201).id
}
