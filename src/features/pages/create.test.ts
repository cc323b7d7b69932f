import { expect, it } from 'bun:test'
import type { PageObject } from '../../model/page/page-object.ts'
import { ENGINES, testApp } from '../../testing/app.ts'
import type { Refused } from '../../testing/people.ts'

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
    expect(stored.find(({ max_views }) => max_views === 3)).toMatchObject({ views: 0 })
    for (const { id } of made) expect(await owner.versions(id)).toHaveLength(1)
    for (const { slug, access, is_published } of made) {
      const expected = access === 'password' ? 403 : is_published ? 200 : 404
      expect((await app.open(`/p/${slug}`)).status).toBe(expected)
    }
  })
}
