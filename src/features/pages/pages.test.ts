import { describe, expect, it } from 'bun:test'
import { ENGINES, testApp } from '../../testing/app.ts'

for (const engine of ENGINES) {
  describe(`pages on ${engine}`, () => {
    it('publishes HTML, live at once', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish('<!doctype html><title>Plan</title><p>hello')
      expect(page).toMatchObject({ title: 'Plan', is_published: true, views: 0, kind: 'single' })
      const opened = await app.open(`/p/${page.slug}`)
      expect(opened.status).toBe(200)
      expect(await opened.text()).toContain('hello')
      expect((await owner.page(page.id)).views).toBe(1)
    })
  })
}
