import { describe, expect, it } from 'bun:test'
import type { PageObject } from '../../model/page/page-object.ts'
import { DatabaseDown } from '../../platform/db/errors.ts'
import type { Tx } from '../../platform/db/index.ts'
import { ENGINES, testApp } from '../../testing/app.ts'
import type { Refused } from '../../testing/people.ts'
import { createCreateBatches } from './create-batches.ts'
import type { NewPage } from './insert-pages.ts'
import type { Written } from './present.ts'

const TX = {} as Tx

function newPage(id: string, files = 1): NewPage {
  const newBlobs = new Map(
    Array.from({ length: files }, (_, at) => [`${id}${at}`, new Uint8Array()]),
  )
  return { page: { id }, staged: { newBlobs } } as NewPage
}

/** @param store answers with those that are stored, or throws */
function batchesOf(store: (ids: string[]) => Promise<string[]>) {
  const together: string[][] = []
  const alone: string[] = []
  const answerOf = (id: string) => ({ data: { id } }) as Written
  const insert = createCreateBatches({
    database: { write: (work) => work(TX) },
    pages: {
      async insertFree(_tx, newPages) {
        const ids = newPages.map(({ page }) => page.id)
        together.push(ids)
        const stored = await store(ids)
        return ids.map((id) => (stored.includes(id) ? answerOf(id) : undefined))
      },
    },
    async insertAlone({ page: { id } }) {
      alone.push(id)
      return answerOf(id)
    },
  })
  const insertAll = (ids: string[]) =>
    Promise.all(ids.map(async (id) => (await insert(newPage(id))).data.id))
  return { insert, insertAll, together, alone }
}

const IDS = Array.from({ length: 40 }, (_, at) => `page-${at}`)

describe('new pages at the same time', () => {
  it('share transactions, each of a limited number of pages', async () => {
    const { insertAll, together, alone } = batchesOf(async (ids) => ids)
    expect(await insertAll(IDS)).toEqual(IDS)
    expect(together.map(({ length }) => length)).toEqual([16, 16, 8])
    expect(together.flat()).toEqual(IDS)
    expect(alone).toEqual([])
  })

  it('wait while two transactions run, unless these are slow', async () => {
    const first = Promise.withResolvers<void>()
    const begunMs: number[] = []
    const { insertAll } = batchesOf(async (ids) => {
      begunMs.push(performance.now())
      if (begunMs.length <= 2) await first.promise
      return ids
    })
    const all = insertAll(IDS)
    while (begunMs.length < 3) await Bun.sleep(1)
    first.resolve()
    expect(await all).toEqual(IDS)
    // A timer of 100 ms, which may count from a little before.
    expect(begunMs[2]! - begunMs[0]!).toBeGreaterThan(95)
  })

  it('are stored alone where their slug or title is taken', async () => {
    const { insertAll, alone } = batchesOf(async (ids) => ids.filter((id) => id !== 'page-3'))
    expect(await insertAll(IDS.slice(0, 5))).toEqual(IDS.slice(0, 5))
    expect(alone).toEqual(['page-3'])
  })

  it('are stored alone where the transaction failed', async () => {
    const { insertAll, alone } = batchesOf(() => Promise.reject(new Error('one is wrong')))
    expect(await insertAll(IDS.slice(0, 5))).toEqual(IDS.slice(0, 5))
    expect(alone).toEqual(IDS.slice(0, 5))
  })

  it('are not stored again where the database was lost: they may be stored', async () => {
    const { insert, alone } = batchesOf(() => Promise.reject(new DatabaseDown()))
    const outcomes = await Promise.allSettled([insert(newPage('a')), insert(newPage('b'))])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(alone).toEqual([])
  })

  it('have a transaction of their own where they have many files', async () => {
    const { insert, together, alone } = batchesOf(async (ids) => ids)
    await insert(newPage('deck', 9))
    expect([together, alone]).toEqual([[], ['deck']])
  })
})

const titled = (title: string, words = 'x') => `<!doctype html><title>${title}</title><p>${words}`

for (const engine of ENGINES) {
  it(`of pages that are created at once, each has its own answer on ${engine}`, async () => {
    await using app = await testApp(engine)
    const [owner, other] = [await app.owner(), await app.owner()]
    const gone = '0'.repeat(26)
    const bodies = [
      { html: titled('Same') },
      { html: titled('Same') },
      { html: titled('Same', 'other words') },
      { html: titled('One'), slug: 'wanted-by-two' },
      { html: titled('Two'), slug: 'wanted-by-two' },
      { html: titled('Three'), title: 'Given' },
      { html: titled('Four'), title: 'Given' },
      { html: '<p>no title', publish: false },
      { html: '<p>no title', access: 'password', max_views: 3 },
      { html_upload: `upl_${gone}` },
    ]
    const send = (who: typeof owner) => (body: object) =>
      who.call<{ data: PageObject } & Refused>('POST', '/pages', body)
    const [answers, theirs] = await Promise.all([
      Promise.all(bodies.map(send(owner))),
      send(other)({ html: titled('Same') }),
    ])
    const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.data)
    const titles = made.map(({ title }) => title).sort()
    expect(titles.filter((title) => title?.startsWith('Same'))).toEqual([
      'Same',
      'Same (2)',
      'Same (3)',
    ])
    expect(theirs.body.data.title).toBe('Same')
    const refusals = answers.flatMap(({ status, body }) => (status === 201 ? [] : body.error.code))
    expect(refusals.sort()).toEqual(['duplicate_title', 'slug_taken', 'upload_not_found'])
    const stored = await owner.ask<PageObject[]>('GET', '/pages')
    expect(new Set(stored.map(({ id }) => id))).toEqual(new Set(made.map(({ id }) => id)))
    expect(stored.find(({ max_views: limit }) => limit === 3)).toMatchObject({ views: 0 })
    for (const { id } of made) expect(await owner.versions(id)).toHaveLength(1)
    for (const { slug, access, is_published: isPublished } of made) {
      const expected = access === 'password' ? 403 : isPublished ? 200 : 404
      expect((await app.open(`/p/${slug}`)).status).toBe(expected)
    }
  })
}
