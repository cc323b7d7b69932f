/** Analytics of pages, from outside. */
import { expect, test } from 'bun:test'
import { dataOf, free, pro, send } from './client.ts'
import { expectRefusal } from './expect.ts'
import { html } from './material.ts'

interface Report {
  views: number
  viewers?: number
  series: { at: string; views: number }[]
  pages?: { page_id: string; views: number; series: number[] }[]
}

test('the series of a page adds up to its views, with days and hours in any time zone', async () => {
  const page = await pro.publish({ html: html('x') })
  await Promise.all(Array.from({ length: 20 }, () => send(`/p/${page.slug}`)))
  for (const query of ['', '?tz=Asia/Kathmandu', '?interval=hour&tz=America/St_Johns']) {
    const answer = await pro.call('GET', `/pages/${page.id}/analytics${query}`)
    const { views, viewers, series } = dataOf<Report>(answer)
    expect([views, viewers]).toEqual([20, 1])
    expect(series.reduce((sum, point) => sum + point.views, 0)).toBe(20)
  }
  const wrong = await pro.call('GET', `/pages/${page.id}/analytics?tz=Nowhere`)
  expectRefusal(wrong, 400, 'invalid_parameter')
})

test('analytics are 402 on Free, except views alone', async () => {
  const page = await free.publish({ html: html('x') })
  await send(`/p/${page.slug}`)
  expectRefusal(await free.call('GET', `/pages/${page.id}/analytics`), 402, 'plan_required')
  expectRefusal(await free.call('GET', '/analytics'), 402, 'plan_required')
  const alone = dataOf<Report>(await free.call('GET', `/pages/${page.id}/analytics?only=views`))
  expect(alone.views).toBe(1)
  expect(Object.keys(alone).sort()).toEqual(['from', 'interval', 'series', 'to', 'tz', 'views'])
  const lines = await free.call('GET', '/analytics?only=views&group=page&days=14')
  const own = dataOf<Report>(lines).pages!.find(({ page_id: id }) => id === page.id)!
  expect(own.series).toEqual([...Array.from({ length: 13 }, () => 0), 1])
})

test('a page without confirmed viewers lists none, to its owner alone', async () => {
  const page = await free.publish({ html: html('x') })
  await send(`/p/${page.slug}`)
  const answer = await free.call('GET', `/pages/${page.id}/viewers`)
  expect(answer.json).toEqual({ data: [], next_offset: null })
  expectRefusal(await pro.call('GET', `/pages/${page.id}/viewers`), 404, 'page_not_found')
})
