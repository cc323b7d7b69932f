/** Editing in the preview in Firefox. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { testFirefox } from '../firefox.ts'
import { cleanUp } from '../start.ts'
import { handOf, walk } from './visual-walk.ts'

setDefaultTimeout(240_000)

const firefox = testFirefox()
afterAll(cleanUp)

test('text and an image are changed where they are shown, undone and published in Firefox', async () => {
  const { tab, problems, leave } = await firefox().newVisitor()
  await walk(handOf(tab))
  expect(problems).toEqual([])
  await leave()
})
