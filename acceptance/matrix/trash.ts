/** The page of a visit goes to the trash and comes back. */
import { expect } from 'bun:test'
import { browser, dataOf, send } from '../client.ts'
import type { Visit } from './cell.ts'
import { textIn, until } from './visit.ts'

const NOTICE = 'This page is not published'
/** Of a frame's address on the page's own host, where programs and WebKit do not say what is a window. */
const NOTHING = 'There is nothing at this address'
const IN_FRAME = /\.localhost:\d+\/p\/[^/]+\/~v1/

/**
 * In the trash nothing of it is served to anybody: neither to the visitor, who was let in, nor to a
 * stranger. It comes back whole.
 */
export async function throughTrash(visit: Visit): Promise<void> {
  const { page, site, top } = visit
  // To approve leads elsewhere.
  await visit.open()
  const addresses = await loadedFrom(visit)
  const before = await all(visit)
  const trash = `/pages/${page.id}/trash`
  expect(dataOf<object>(await site.owner.call('POST', trash))).toMatchObject({ state: 'trash' })
  for (const address of addresses) {
    await visit.goto(address)
    const notices = IN_FRAME.test(address) ? [NOTICE, NOTHING] : [NOTICE]
    const isNotice = (text: string) => notices.some((each) => text.includes(each))
    const isShown = async () => isNotice(await textIn(top))
    await until(isShown, `“${notices}” at ${address}`, () => textIn(top))
    const stranger = await send(address, { headers: browser, redirect: 'follow' })
    expect([address, stranger.status, isNotice(stranger.text)]).toEqual([address, 404, true])
    expect(stranger.text).not.toContain(page.title!)
  }
  dataOf(await site.owner.call('DELETE', trash))
  expect(await all(visit)).toEqual(before)
  await visit.open()
}

/** What the browser has loaded of the page for the visitor: its own files, on any host. */
export async function loadedFrom({ page, content, top }: Visit): Promise<Set<string>> {
  const loaded = `[location, ...performance.getEntriesByType('resource')]
    .map(({ href, name }) => href ?? name)`
  const read = (view: typeof top) => view.evaluate(loaded) as Promise<string[]>
  const all = (await Promise.all([top, content].map(read))).flat()
  const { origin } = new URL(page.url)
  return new Set(all.filter((each) => each.startsWith(page.url) || !each.startsWith(`${origin}/`)))
}

/** All that the owner reads of it. */
const all = ({ page, site }: Visit): Promise<unknown[]> =>
  Promise.all(
    ['', '/versions', '/responses', '/comments', '/poll', '/approvals', '/counts'].map(
      async (what) => (await site.owner.call('GET', `/pages/${page.id}${what}`)).json,
    ),
  )
