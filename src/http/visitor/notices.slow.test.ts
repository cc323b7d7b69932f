import { describe, expect, it } from 'bun:test'
import { ENGINES, HOUR_MS, testApp } from '../../testing/app.ts'

const WORDS = 'the-words-of-the-content'
const TITLE = 'The Secret Title'
const HTML = `<!doctype html><title>${TITLE}</title><p>${WORDS}`

for (const engine of ENGINES) {
  describe(`a response under /p/ without content, on ${engine}`, () => {
    it('a link expires by the time of day, also where the clock is set forward and back', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const soon = new Date(app.clock.ms() + HOUR_MS).toISOString()
      const single = await owner.publish(HTML, { expires_at: soon })
      const deck = await owner.publish({
        ...{ files: [{ path: 'index.html', html: HTML }], expires_at: soon },
      })
      const statuses = async () => {
        const paths = [single.slug, `${deck.slug}/index.html`]
        const answers = await Promise.all(paths.map((path) => app.open(`/p/${path}`)))
        return answers.map(({ status }) => status)
      }
      const open = await statuses()
      expect(open).not.toContain(410)
      for (const [stepMs, expected] of [
        [2 * HOUR_MS, [410, 410]],
        [-2 * HOUR_MS, open],
        [30 * 24 * HOUR_MS, [410, 410]],
        [-30 * 24 * HOUR_MS, open],
      ] as const) {
        app.advance(stepMs)
        expect([stepMs, await statuses()]).toEqual([stepMs, [...expected]])
      }
    })
  })
}
