import { describe, expect, it } from 'bun:test'
import type { PageObject } from '../../model/page/page-object.ts'
import { ENGINES, testApp } from '../../testing/app.ts'
import { createThread } from '../../testing/test-comments.ts'
import type { Warning } from '../content/index.ts'

const DECK = {
  files: [
    { path: 'index.html', html: '<a href="two.html">two</a>' },
    { path: 'two.html', html: '<p>two' },
  ],
}
const SETTINGS = {
  ...{ title: 'Plan', access: 'password', password: 'open sesame', accent: 'green' },
  ...{ allow_comments: true, max_views: 7, expires_at: '2099-01-01T00:00:00.000000Z' },
  ...{ collect_votes: true, poll_question: 'Which?', poll_options: ['A', 'B'] },
}

/** What a copy has in common with its page. */
function commonOf(page: PageObject) {
  const { id, slug, url, title, created_at, updated_at, published_at, ...rest } = page
  const { is_published, state, open_to, has_unpublished_changes, views, ...common } = rest
  return common
}

for (const engine of ENGINES) {
  describe(`a copy of a page on ${engine}`, () => {
    it('is a draft with the same draft and settings, and nothing that people sent', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish(DECK, SETTINGS)
      const copy = await owner.ask('POST', `/pages/${page.id}/duplicate`)
      expect(commonOf(copy)).toEqual(commonOf(page))
      expect(copy).toMatchObject({ title: 'Plan (copy)', state: 'draft', views: 0, max_views: 7 })
      expect(copy.slug).not.toBe(page.slug)
      expect((await app.open(`/p/${copy.slug}`)).status).toBe(404)
      expect((await owner.ask('POST', `/pages/${page.id}/duplicate`)).title).toBe('Plan (copy) (2)')
      await owner.ask('POST', `/pages/${copy.id}/publish`)
      const visitor = app.visitor()
      await visitor.givePassword(`/p/${copy.slug}`, 'open sesame')
      const file = await visitor.open(`/p/${copy.slug}/two.html`)
      expect(await file.text()).toContain('<p>two')
      await owner.call('DELETE', `/pages/${page.id}`)
      expect(await owner.versions(copy.id)).toHaveLength(1)
    })

    it('has the draft of a page with changes, and none of its comments', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner, { title: 'Talk' })
      await thread.post('one', 'First')
      await owner.update(thread.id, { html: '<p>newer' })
      const copy = await owner.ask('POST', `/pages/${thread.id}/duplicate`)
      expect(await owner.html(copy.id)).toBe('<p>newer')
      expect(await owner.ask<unknown[]>('GET', `/pages/${copy.id}/comments`)).toEqual([])
      const other = await app.owner()
      expect((await other.call('POST', `/pages/${thread.id}/duplicate`)).status).toBe(404)
    })

    it('leaves out what the plan does not have any more, says so, and counts to the quota', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish('<p>one', { max_views: 7, download_disabled: true })
      const account = (await app.accounts.findByEmail(owner.email))!
      await app.accounts.setPlan(account.email, 'free')
      const before = (await app.rows('accounts'))[0]!.stored_bytes
      const { body } = await owner.call('POST', `/pages/${page.id}/duplicate`)
      const { data, warnings } = body as { data: PageObject; warnings: Warning[] }
      expect(data).toMatchObject({ max_views: null, download_disabled: false })
      expect(warnings.filter(({ code }) => code === 'no_effect')).toMatchObject([
        {
          param: 'max_views',
          message: 'max_views has no effect here: it is not part of the Free plan.',
        },
        { param: 'download_disabled' },
      ])
      expect((await app.rows('accounts'))[0]!.stored_bytes).toBe(before * 2)
    })
  })
}
