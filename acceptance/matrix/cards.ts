/** A window that is wide shows threads as cards beside their passages. */
import { expect } from 'bun:test'
import { dataOf } from '../client.ts'
import type { Visit } from './cell.ts'
import { until } from './visit.ts'

const PASSAGE = 'Beside this'
/** How far a card may be from its passage or spot: a pin's radius, and a rounded pixel. */
const NEAR_PX = 14

/** The visitor comes by a link to a thread of the owner: its card is beside its place. */
export async function besideThePassage(visit: Visit): Promise<void> {
  const { cell, page, site, top, content } = visit
  const { kind } = cell
  const spot = { x: 0.5, y: 0.5, ...(kind.name === 'PDF' && { sheet: 1 }) }
  const anchor = kind.hasHtml ? { quote: PASSAGE, prefix: '', suffix: '' } : spot
  const input = { body: 'About this', anchor, path: kind.path }
  const posted = await site.owner.call('POST', `/pages/${page.id}/comments`, input)
  const { id } = dataOf<{ id: string }>(posted, 201)
  await visit.open()
  await visit.goto('about:blank')
  await visit.goto(`${page.url}${kind.path && `/${kind.path}`}#~comments/${id}`)
  const card = `document.querySelector('#conversations')?.shadowRoot
    ?.querySelector('[data-card][data-active][data-thread="${id}"]')?.getBoundingClientRect().top`
  const place = kind.hasHtml
    ? `document.getElementById('beside')`
    : `document.querySelector('#image, .page')`
  async function distance(): Promise<number> {
    const at = (await content.evaluate(
      `(({ top, height }) => top + ${kind.hasHtml ? 0 : 0.5} * height)(${place}.getBoundingClientRect())`,
    )) as number
    const frame = kind.hasHtml
      ? `document.querySelector('iframe').getBoundingClientRect().top`
      : '0'
    return Math.abs(Number(await top.evaluate(card)) - at - Number(await top.evaluate(frame)))
  }
  const isBeside = async () => (await distance().catch(() => Number.NaN)) <= NEAR_PX
  await until(isBeside, 'a card beside its passage', async () =>
    String(await distance().catch(String)),
  )
  expect(await top.evaluate('innerWidth >= 1200')).toBe(true)
}
