/** What an account costs that has few pages, on a server where others have very many. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../testing/app.ts'
import type { Owner } from '../../testing/people.ts'
import { leastProcessorMs } from '../../testing/processor-time.ts'

const PAGES = 10_000
const CHUNK = 100
/** A read of all pages of the server takes ten times as long. */
const MOST_MS = 1

let app: TestApp
let owner: Owner
beforeAll(async () => {
  app = await testApp('sqlite')
  await (await app.owner()).publish('<p>one of many')
  const [page] = await app.rows('pages')
  await app.database.write(async (tx) => {
    for (let from = 0; from < PAGES; from += CHUNK) {
      const rows = Array.from({ length: CHUNK }, (_, at) => {
        const own = `copy-${from + at}`
        return { ...page!, id: `pg_${own}`, slug: own, title: own }
      })
      await tx.insertInto('pages').values(rows).execute()
    }
  })
  owner = await app.owner()
})
afterAll(() => app[Symbol.asyncDispose]())

test('it is measured, closed and deleted without a look at the pages of others', async () => {
  const { id } = await app.accounts.getByEmail(owner.email)
  expect(await leastProcessorMs(() => app.pages.hasMany(id))).toBeLessThan(MOST_MS)
  expect(await leastProcessorMs(() => app.pages.deleteAll(id))).toBeLessThan(MOST_MS)
  const closing = () => app.database.write((tx) => app.pages.announceAll(tx, id))
  expect(await leastProcessorMs(closing)).toBeLessThan(MOST_MS)
})

test('who asks to sign in waits for the invitations of all pages, and nobody else does', async () => {
  const { longRead } = app.database
  let longReads = 0
  app.database.longRead = (read) => {
    longReads += 1
    return longRead(read)
  }
  await owner.publish('<p>x', { access: 'people', allowed_emails: ['ann@example.com'] })
  expect(await app.pages.invitationOf('ann@example.com')).toMatchObject({ isInvited: true })
  expect(await app.pages.invitationOf('ben@example.com')).toMatchObject({ isInvited: false })
  expect(longReads).toBe(2)
})
