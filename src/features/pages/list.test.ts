import { describe, expect, it } from 'bun:test'
import type { ListedPage } from '../../model/page/page-object.ts'
import { ENGINES, HOUR_MS, type TestApp, testApp } from '../../testing/app.ts'
import { base64, fileOf } from '../../testing/material.ts'
import type { Owner } from '../../testing/people.ts'
import { createThread } from '../../testing/test-comments.ts'
import { createForm } from '../../testing/test-form.ts'

async function listed(owner: Owner, query: string): Promise<ListedPage[]> {
  return owner.ask('GET', `/pages?${query}`)
}
async function titles(owner: Owner, query: string): Promise<string> {
  return (await listed(owner, query)).map(({ title }) => title ?? '-').join()
}

/** One page in each state; both reasons of a closed one. */
async function inEachState(app: TestApp, owner: Owner): Promise<void> {
  const at = (ms: number) => new Date(app.clock.ms() + ms).toISOString()
  const page = (title: string, settings = {}) => owner.publish('<p>x', { title, ...settings })
  await page('live', { max_views: 2 })
  const changed = await page('changes', { expires_at: at(3 * HOUR_MS) })
  await owner.update(changed.id, { html: '<p>y' })
  await page('draft', { publish: false, expires_at: at(HOUR_MS) })
  await page('expired', { expires_at: at(HOUR_MS) })
  const full = await page('full', { max_views: 1 })
  await app.open(`/p/${full.slug}`)
  app.advance(2 * HOUR_MS)
}

for (const engine of ENGINES) {
  describe(`a list of pages on ${engine}`, () => {
    it('has the pages in a state, with the state and why it is closed', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      await inEachState(app, owner)
      const all = await listed(owner, 'sort=created&order=asc')
      const states = all.map(({ title, state, closed_by: by }) => [title, state, by])
      expect(states).toEqual([
        ['live', 'live', null],
        ['changes', 'changes', null],
        ['draft', 'draft', null],
        ['expired', 'closed', 'expired'],
        ['full', 'closed', 'view_limit'],
      ])
      const lists: [state: string, expected: string][] = [
        ['live', 'live'],
        ['changes', 'changes'],
        ['draft', 'draft'],
        ['closed', 'expired,full'],
      ]
      for (const [state, expected] of lists) {
        expect(await titles(owner, `state=${state}&sort=created&order=asc`)).toBe(expected)
      }
      for (const { id, state, closed_by } of all) {
        expect(await owner.page(id)).toMatchObject({ state, closed_by })
      }
    })

    it('finds words of titles and slugs, also of those that were changed', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      const { id } = await owner.publish('<p>x', {
        title: 'Über 100%_sicher!',
        slug: 'launch-plan',
      })
      await owner.publish('<p>x', { title: 'Launch date' })
      await other.publish('<p>x', { title: 'Launch of theirs' })
      const lookup = (search: string) => titles(owner, `search=${encodeURIComponent(search)}`)
      expect(await lookup('LAUNCH')).toBe('Launch date,Über 100%_sicher!')
      expect(await lookup('uber plan')).toBe('Über 100%_sicher!')
      expect(await lookup('100%_')).toBe('Über 100%_sicher!')
      for (const wild of ['%', '_', '!']) expect(await lookup(wild)).toBe('Über 100%_sicher!')
      for (const none of ['1%_', 'L_unch', "x' OR 1=1", '\\']) expect(await lookup(none)).toBe('')
      await owner.update(id, { title: 'Ärger', slug: 'other-name' })
      expect(await lookup('launch')).toBe('Launch date')
      expect(await lookup('arger other')).toBe('Ärger')
    })

    it('is sorted as asked, with pages that are equal in one order', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const first = await owner.publish('<p>x', { title: 'b' })
      for (const title of ['Äa', 'C', 'a']) {
        // Ids of one millisecond have no order.
        app.advance(1)
        await owner.publish('<p>x', { title })
      }
      await app.open(`/p/${first.slug}`)
      await owner.update(first.id, { accent: 'red' })
      const orders: [query: string, expected: string][] = [
        ['', 'b,a,C,Äa'],
        ['sort=updated&order=asc', 'Äa,C,a,b'],
        ['sort=created', 'a,C,Äa,b'],
        ['sort=created&order=asc', 'b,Äa,C,a'],
        ['sort=title', 'a,Äa,b,C'],
        ['sort=title&order=desc', 'C,b,Äa,a'],
        ['sort=views', 'b,a,C,Äa'],
        ['sort=views&order=asc', 'Äa,C,a,b'],
      ]
      for (const [query, expected] of orders) expect(await titles(owner, query)).toBe(expected)
      expect(await titles(owner, 'sort=title&limit=2&offset=1')).toBe('Äa,b')
      const { body } = await owner.call('GET', '/pages?sort=views&search=a&limit=1')
      expect(body).toMatchObject({ next_offset: 1 })
    })

    it('is filtered by access and by the kind of content, also together', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const pdf = { file_base64: base64(fileOf('pdf')), filename: '"mime":"image/png".pdf' }
      await owner.publish(pdf, { title: 'pdf', access: 'private' })
      await owner.publish(
        { file_base64: base64(fileOf('png')), filename: 'application-pdf.png' },
        { title: 'image' },
      )
      await owner.publish({ files: [{ path: 'a.html', html: '<p>x' }] }, { title: 'deck' })
      const { id } = await owner.publish('<p>x', { title: 'single', access: 'private' })
      const lists: [query: string, expected: string][] = [
        ['kind=pdf', 'pdf'],
        ['kind=image', 'image'],
        ['kind=bundle', 'deck'],
        ['kind=single', 'single'],
        ['access=private', 'single,pdf'],
        ['access=private&kind=pdf', 'pdf'],
        ['access=link&state=live&search=a&kind=image&sort=views', 'image'],
        ['access=people', ''],
      ]
      for (const [query, expected] of lists) expect(await titles(owner, query)).toBe(expected)
      await owner.update(id, { access: 'link' })
      expect(await titles(owner, 'access=private')).toBe('pdf')
    })

    it('finds the page with a title, and the PDF whose file has a name, by that alone', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      const pdf = (filename: string) => ({ file_base64: base64(fileOf('pdf')), filename })
      await owner.publish(pdf('report.pdf'), { title: 'Renamed' })
      await owner.publish(pdf('100%_"sure"!.pdf'), { title: 'Odd' })
      await owner.publish('<p>x', { title: 'Plan' })
      await owner.publish('<p>x', { title: 'Plan B' })
      await other.publish('<p>x', { title: 'Theirs' })
      const request = (name: string) => titles(owner, `name=${encodeURIComponent(name)}`)
      expect(await request('Plan')).toBe('Plan')
      expect(await request('report.pdf')).toBe('Renamed')
      expect(await request('100%_"sure"!.pdf')).toBe('Odd')
      for (const none of ['Theirs', 'report', '%', '100%', "x' OR 1=1"]) {
        expect(await request(none)).toBe('')
      }
    })

    it('counts responses and open threads as they are now', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const form = await createForm(app, owner, { title: 'form' })
      const thread = await createThread(app, owner, { title: 'thread' })
      await owner.publish('<p>x', { title: 'plain' })
      const counts = async () =>
        Object.fromEntries(
          (await listed(owner, '')).map((page) => [
            page.title,
            [page.responses, page.open_comments],
          ]),
        )
      await form.send('ann', { a: 1 })
      await form.send('bob', { a: 1 })
      const first = await thread.post('ann', 'one')
      const second = await thread.post('bob', 'two')
      await thread.post('bob', { body: 'reply', parent_id: first.id })
      expect(await counts()).toEqual({ form: [2, 0], thread: [0, 2], plain: [0, 0] })

      const path = `/pages/${thread.id}/comments`
      await owner.ask('PATCH', `${path}/${first.id}`, { state: 'resolved' })
      expect((await counts()).thread).toEqual([0, 1])
      await owner.ask('PATCH', `${path}/${second.id}`, { is_hidden: true })
      expect((await counts()).thread).toEqual([0, 0])
    })
  })
}
