import { describe, expect, it } from 'bun:test'
import { ENGINES, testApp } from '../../testing/app.ts'
import { rowCounts } from '../../testing/dump.ts'
import { base64, fileOf } from '../../testing/material.ts'

const titled = (title: string) => `<!doctype html><title>${title}</title><p>x`

for (const engine of ENGINES) {
  describe(`titles on ${engine}`, () => {
    it('come from the HTML’s <title>, else the file’s name, else there is none', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const png = { file_base64: base64(fileOf('png')), filename: 'folder/Sunset 1.png' }
      const files = [
        { path: 'index.html', html: titled('The deck') },
        { path: 'about.html', html: titled('About') },
      ]
      const results: [object, string | null][] = [
        [{ html: titled('Q3 &amp; Q4\n review ') }, 'Q3 & Q4 review'],
        [{ html: '<p>no title' }, null],
        [{ html: '<p>no title', filename: 'notes.html' }, 'notes.html'],
        [{ html: titled('   ') }, null],
        [{ files }, 'The deck'],
        [{ files, entry: 'about.html' }, 'About'],
        [png, 'Sunset 1.png'],
        [{ html: titled('Theirs'), title: '  Mine  ' }, 'Mine'],
        [{ html: titled('Said'), title: null }, 'Said'],
      ]
      for (const [body, title] of results) expect((await owner.publish(body)).title).toBe(title)
    })

    it('derived from content get (2), (3)… where they are taken', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      const pages = [1, 2, 3, 4, 5].map(() => owner.publish(titled('Plan')))
      expect((await Promise.all(pages)).map(({ title }) => title).sort()).toEqual(
        ['Plan', 'Plan (2)', 'Plan (3)', 'Plan (4)', 'Plan (5)'].sort(),
      )
      expect((await other.publish(titled('Plan'))).title).toBe('Plan')
    })

    it('derived from content are never those of another page, with any gaps in the taken numbers', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      for (const title of ['Plan', 'Plan (2)', 'Plan (4)', 'Plan (5)', 'Plan (8)']) {
        await owner.publish('<p>x', { title })
      }
      const derived: (string | null)[] = []
      for (let i = 0; i < 6; i++) derived.push((await owner.publish(titled('Plan'))).title)
      expect(new Set(derived).size).toBe(6)
      for (const title of derived) expect(title).toMatch(/^Plan \(\d+\)$/)
      expect(await app.rows('pages')).toHaveLength(11)
    })

    it('made by the server have at most 200 characters, with their suffix', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const long = '😀'.repeat(300)
      expect((await owner.publish(titled(long))).title).toBe('😀'.repeat(200))
      expect((await owner.publish(titled(long))).title).toBe(`${'😀'.repeat(196)} (2)`)
      const { id } = await owner.publish('<p>x', { title: 'x'.repeat(200) })
      const { title } = await owner.ask('POST', `/pages/${id}/duplicate`)
      expect(title).toBe(`${'x'.repeat(193)} (copy)`)
    })

    it('of another page are 409 at create, and nothing of the new page is stored', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      const first = await owner.publish('<p>x', { title: 'Café' })
      const before = await rowCounts(app)
      for (const title of ['Café', '  Café ', 'Cafe\u0301']) {
        const answer = await owner.refused('POST', '/pages', { html: '<p>second', title })
        expect(answer.status).toBe(409)
        expect(answer.body.error).toMatchObject({ code: 'duplicate_title', param: 'title' })
      }
      await app.quiet()
      expect(await rowCounts(app)).toEqual(before)
      expect((await owner.publish('<p>y', { title: 'CAFÉ' })).title).toBe('CAFÉ')
      expect((await other.publish('<p>z', { title: 'Café' })).title).toBe('Café')
      await owner.call('DELETE', `/pages/${first.id}`)
      expect((await owner.publish('<p>w', { title: 'Café' })).title).toBe('Café')
    })

    it('of another page are 409 at update, which then changes nothing else', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      await owner.publish('<p>x', { title: 'One' })
      const two = await owner.publish('<p>y', { title: 'Two' })
      const body = { title: 'One', html: '<p>new', accent: 'red' }
      const answer = await owner.refused('PATCH', `/pages/${two.id}`, body)
      expect([answer.status, answer.body.error.code]).toEqual([409, 'duplicate_title'])
      expect(await owner.page(two.id)).toEqual(two)
      expect(await owner.html(two.id)).toBe('<p>y')
      expect(await owner.versions(two.id)).toHaveLength(1)
      expect((await owner.update(two.id, { title: 'Two' })).title).toBe('Two')
      expect((await owner.update(two.id, { title: null })).title).toBeNull()
      expect((await owner.publish('<p>z', { title: 'Two' })).title).toBe('Two')
    })

    it('sent for many pages at once are given to one, and the others are not stored', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const bodies = Array.from({ length: 8 }, (_, at) => ({ html: `<p>${at}`, title: 'Same' }))
      const answers = await Promise.all(bodies.map((body) => owner.call('POST', '/pages', body)))
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
      expect(await app.rows('pages')).toHaveLength(1)
      expect(await app.rows('manifests')).toHaveLength(1)
    })

    it('that are null are allowed for any number of pages', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      for (let i = 0; i < 3; i++) expect((await owner.publish(`<p>${i}`)).title).toBeNull()
    })
  })
}

describe('titles on two nodes of one PostgreSQL', () => {
  it('derived from content at the same time are all different, and every page is stored', async () => {
    await using app = await testApp('postgres')
    const node = await app.node()
    const owner = await app.owner()
    const make = (at: number) =>
      (at % 2 ? app : node).api('/pages', {
        method: 'POST',
        headers: { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ html: titled('Plan') }),
      })
    const answers = await Promise.all(Array.from({ length: 24 }, (_, at) => make(at)))
    expect(answers.map(({ status }) => status)).toEqual(Array(24).fill(201))
    const titles = (await app.rows('pages')).map(({ title }) => title)
    expect(new Set(titles).size).toBe(24)
  })
})
