/** What of the responses is listed, by `search` and `where`. */
import { expect } from 'bun:test'
import { expectBadParam } from '../expect.ts'
import { newOwner, own } from '../gates/setup.ts'
import { FORM, report, viewer } from './viewer.ts'

const where = (fields: object) => `where=${encodeURIComponent(JSON.stringify(fields))}`

own('search and where choose responses, their summaries and the rows of the file', async () => {
  const by = await newOwner()
  const page = await by.publish({ html: FORM })
  await viewer().respond(page, { name: 'Ann', colour: 'red', days: ['mo', 'tu'] })
  await viewer().respond(page, { name: 'Bob', colour: 'red', days: ['tu'] })
  await viewer().respond(page, { name: 'Cem', colour: 'blue', days: ['mo'] })
  const names = async (query: string) =>
    (await report(by, page, `?${query}`)).responses.map(({ name }) => name)
  expect(await names('search=BOB')).toEqual(['Bob'])
  expect(await names(where({ colour: 'red' }))).toEqual(['Bob', 'Ann'])
  expect(await names(where({ days: ['mo', 'tu'] }))).toEqual(['Ann'])
  expect(await names(`search=ann&${where({ colour: 'blue' })}`)).toEqual([])
  const { total, status, summaries } = await report(by, page, `?${where({ colour: 'red' })}`)
  expect([total, status.count]).toEqual([2, 3])
  const colour = summaries.find(({ key }) => key === 'colour')
  expect(colour).toMatchObject({ counts: [{ value: 'red', count: 2 }] })
  const path = `/pages/${page.id}/responses`
  const csv = await by.call('GET', `${path}?format=csv&${where({ colour: 'blue' })}`)
  expect(csv.text.trim().split('\r\n')).toHaveLength(2)
  expect(csv.text).not.toContain('Ann')
  expectBadParam(await by.call('GET', `${path}?${where({ size: 'L' })}`), 'where')
  expectBadParam(await by.call('GET', `${path}?where=red`), 'where')
})
