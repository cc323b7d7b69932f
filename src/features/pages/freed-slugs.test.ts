import { describe, expect, it } from 'bun:test'
import { sql } from 'kysely'
import { DAY_MS, ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { type Owner, ownerWith } from '../../testing/people.ts'
import { sessionOf } from '../../testing/signed-in.ts'

const SLUG = 'price-list'

/** Ways to give up a slug. */
const WAYS: [string, (owner: Owner, id: string) => Promise<unknown>][] = [
  ['a change of the slug', (owner, id) => owner.update(id, { slug: `not-${id.slice(-8)}` })],
  ['a deletion', (owner, id) => owner.call('DELETE', `/pages/${id}`)],
]

/** How an account takes a slug. @returns its answer's status and code */
const TAKES: [string, (owner: Owner) => Promise<[number, string | undefined]>][] = [
  ['a create', (owner) => sent(owner, 'POST', '/pages', { html: '<p>x', slug: SLUG })],
  [
    'an update',
    async (owner) => {
      const { id } = await owner.publish('<p>x')
      return sent(owner, 'PATCH', `/pages/${id}`, { slug: SLUG })
    },
  ],
]

async function sent(owner: Owner, method: string, path: string, body: object) {
  const answer = await owner.call<{ error?: { code: string } }>(method, path, body)
  return [answer.status, answer.body.error?.code] as [number, string | undefined]
}

/** A page that had the slug and gave it up. */
async function freed(app: TestApp, [, giveUp]: (typeof WAYS)[number]) {
  const owner = await app.owner()
  const { id } = await owner.publish('<p>mine', { slug: SLUG })
  await giveUp(owner, id)
  return owner
}

for (const engine of ENGINES) {
  describe.each(WAYS)(`a slug that was given up by %s, on ${engine}`, (...way) => {
    it.each(TAKES)('is refused to other accounts for a year, by %s', async (_, take) => {
      await using app = await testApp(engine)
      await freed(app, way)
      const other = await app.owner()
      expect(await take(other)).toEqual([409, 'slug_taken'])
      expect((await app.open(`/p/${SLUG}`)).status).toBe(404)
      app.advance(364 * DAY_MS)
      expect(await take(other)).toEqual([409, 'slug_taken'])
      app.advance(2 * DAY_MS)
      expect((await take(other))[0]).toBeLessThan(300)
      expect((await app.open(`/p/${SLUG}`)).status).toBe(200)
    })

    it.each(TAKES)('may be taken by its own account again, by %s', async (_, take) => {
      await using app = await testApp(engine)
      const owner = await freed(app, way)
      expect((await take(owner))[0]).toBeLessThan(300)
      expect((await app.open(`/p/${SLUG}`)).status).toBe(200)
    })

    it('stays refused where its account took it again and gave it up later', async () => {
      await using app = await testApp(engine)
      const owner = await freed(app, way)
      app.advance(300 * DAY_MS)
      const { id } = await owner.publish('<p>again', { slug: SLUG })
      await way[1](owner, id)
      app.advance(300 * DAY_MS)
      const other = await app.owner()
      expect(await TAKES[0]![1](other)).toEqual([409, 'slug_taken'])
    })
  })

  describe(`slugs that were given up, on ${engine}`, () => {
    it('are refused at every moment of a change that frees them', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      const { id: theirs } = await other.publish('<p>theirs')
      for (let round = 0; round < 15; round += 1) {
        const slug = `race-${round}`
        const { id } = await owner.publish('<p>mine', { slug })
        const [, giveUp] = WAYS[round % WAYS.length]!
        const takes = [1, 2, 3].flatMap(() => [
          sent(other, 'POST', '/pages', { html: '<p>x', slug }),
          sent(other, 'PATCH', `/pages/${theirs}`, { slug }),
        ])
        await giveUp(owner, id)
        const late = sent(other, 'POST', '/pages', { html: '<p>x', slug })
        for (const answer of await Promise.all([...takes, late])) {
          expect(answer).toEqual([409, 'slug_taken'])
        }
        if (round % WAYS.length === 0) await owner.call('DELETE', `/pages/${id}`)
      }
      expect(await app.rows('pages')).toHaveLength(1)
    })

    it('stay refused to everybody once their account is deleted, which nothing of them names', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { account, ...browser } = await sessionOf(app, owner.email)
      const renamed = await owner.publish('<p>one', { slug: 'was-renamed' })
      await owner.update(renamed.id, { slug: 'is-renamed' })
      await owner.publish('<p>two', { slug: 'is-there' })
      await browser.call('POST', '/account/deletion', { email: owner.email })
      await app.accountDeletion.sweep()
      await app.quiet()
      const again = await app.owner({ email: owner.email })
      for (const slug of ['was-renamed', 'is-renamed', 'is-there']) {
        const answer = await sent(again, 'POST', '/pages', { html: '<p>x', slug })
        expect([slug, answer]).toEqual([slug, [409, 'slug_taken']])
      }
      const rows = await app.rows('freed_slugs')
      expect(rows.map(({ account_id: id }) => id)).toEqual([null, null, null])
      expect(JSON.stringify(rows)).not.toContain(account.id)
    })

    it('are no slugs for the import of another account, which gets a random one', async () => {
      await using app = await testApp(engine)
      const owner = await freed(app, WAYS[0]!)
      const other = await app.owner()
      const { id } = await owner.publish('<p>exported', { slug: 'second-list' })
      const headers = { authorization: `Bearer ${owner.key}` }
      const zip = await (await app.api('/account/export', { headers })).bytes()
      await owner.call('DELETE', `/pages/${id}`)
      const answer = await app.api('/account/import', {
        method: 'POST',
        headers: { authorization: `Bearer ${other.key}` },
        body: zip as BodyInit,
      })
      const { data } = (await answer.json()) as { data: { pages: { slug: string }[] } }
      const slugs = data.pages.map(({ slug }) => slug)
      expect(slugs).toHaveLength(2)
      for (const slug of slugs) expect(slug).toMatch(/^[2-9a-km-np-z]{12}$/)
    })
  })
}

it.each(TAKES)(
  'a slug that a transaction gives up is refused to %s that waits for it',
  async (_, take) => {
    await using app = await testApp('postgres')
    const [owner, other] = [await app.owner(), await app.owner()]
    const { id } = await owner.publish('<p>mine', { slug: SLUG })
    const commit = Promise.withResolvers<void>()
    const freeing = Promise.withResolvers<void>()
    app.pages.listeners.change.push(async (_tx, before, after) => {
      if (before.slug !== SLUG || after.slug === SLUG) return
      freeing.resolve()
      await commit.promise
    })
    const renamed = owner.update(id, { slug: 'another-name' })
    await freeing.promise
    const taken = take(other)
    while ((await waitingStatements(app)) === 0) await Bun.sleep(5)
    commit.resolve()
    expect(await taken).toEqual([409, 'slug_taken'])
    expect((await renamed).slug).toBe('another-name')
  },
)

/** How many statements wait for the lock of another transaction. */
async function waitingStatements({ database }: TestApp): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(database.read)
  return Number(rows[0]!.count)
}

it('a slug that was given up on one node is refused on another at once', async () => {
  await using app = await testApp('postgres')
  const node = await app.node()
  const owner = await freed(app, WAYS[0]!)
  const other = await app.owner()
  const there = ownerWith({ ...node, log: app.log }, other.key, other.email)
  expect(await TAKES[0]![1](there)).toEqual([409, 'slug_taken'])
  expect((await TAKES[0]![1](owner))[0]).toBe(201)
})
