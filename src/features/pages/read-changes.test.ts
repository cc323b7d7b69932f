import { describe, expect, it } from 'bun:test'
import { ENGINES, testApp } from '../../testing/app.ts'
import { base64, fileOf } from '../../testing/material.ts'
import type { Owner } from '../../testing/people.ts'
import type { PageDifferences } from './contract.ts'

const paragraphs = (...texts: string[]) => texts.map((text) => `<p>${text}</p>`).join('\n')

function changesOf(owner: Owner, id: string, query = ''): Promise<PageDifferences> {
  return owner.ask('GET', `/pages/${id}/changes${query}`)
}
const visible = ({ files }: PageDifferences) =>
  files.flatMap(({ lines }) => (lines ?? []).map(({ kind, text }) => `${kind} ${text}`))

for (const engine of ENGINES) {
  describe(`what changed in a page on ${engine}`, () => {
    it('is the text that differs between the draft and what visitors see', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish(paragraphs('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'))
      expect(await changesOf(owner, id)).toEqual({
        ...{ from_version_no: 1, to_version_no: 1, passages: 0, files: [], is_cut: false },
      })
      await owner.update(id, {
        html: paragraphs('a', 'B', 'c', 'd', 'e', 'f', 'g', 'h', 'new <b>&amp; bold</b>'),
      })
      const changes = await changesOf(owner, id)
      expect(changes).toMatchObject({ from_version_no: 1, to_version_no: 2, passages: 2 })
      expect(changes.files).toMatchObject([{ path: '', state: 'changed' }])
      expect(visible(changes)).toEqual([
        ...['same a', 'removed b', 'added B', 'same c', 'same d', 'gap ', 'same g', 'same h'],
        ...['removed i', 'added new & bold'],
      ])
      const counted = await changesOf(owner, id, '?lines=false')
      expect(counted).toEqual({ ...changes, files: [{ ...changes.files[0]!, lines: null }] })
      const back = await changesOf(owner, id, '?from=2&to=1')
      expect(back).toMatchObject({ from_version_no: 2, to_version_no: 1, passages: 2 })
      expect(visible(back)).toContain('added b')
    })

    it('is nothing where the markup alone has changed', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<p>a</p>')
      await owner.update(id, { html: '<section class="x"><p>a</p></section><script>1</script>' })
      expect(await changesOf(owner, id)).toMatchObject({
        passages: 0,
        files: [{ path: '', state: 'changed', lines: [{ kind: 'gap', text: '' }] }],
      })
    })

    it('names files of a deck that came, went or changed, with and without text', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const png = () => base64(fileOf('png'))
      const file = (path: string, text: string) => ({ path, html: `<p>${text}` })
      const { id } = await owner.publish({
        files: [file('index.html', 'one'), file('gone.html', 'left'), file('same.html', 'same')],
        assets: [{ path: 'a.png', data_base64: png() }],
      })
      await owner.update(id, {
        files: [file('index.html', 'two'), file('same.html', 'same'), file('new.html', 'came')],
        assets: [{ path: 'a.png', data_base64: png() }],
      })
      const { files, passages } = await changesOf(owner, id)
      expect(passages).toBe(4)
      const lines = (kind: 'added' | 'removed', text: string) => ({ kind, text })
      expect(files.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
        { path: 'a.png', state: 'changed', lines: null },
        { path: 'gone.html', state: 'removed', lines: [lines('removed', 'left')] },
        {
          path: 'index.html',
          state: 'changed',
          lines: [lines('removed', 'one'), lines('added', 'two')],
        },
        { path: 'new.html', state: 'added', lines: [lines('added', 'came')] },
      ])
    })

    it('is bounded: lines are cut, and too much change is reported without its text', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const many = (count: number, word: string) =>
        paragraphs(...Array.from({ length: count }, (_, at) => `${word} ${at}`))
      const { id } = await owner.publish(many(600, 'old'))
      await owner.update(id, { html: many(600, 'new') })
      const cut = await changesOf(owner, id)
      expect([cut.is_cut, cut.passages, visible(cut).length]).toEqual([true, 1, 400])
      await owner.update(id, { html: many(21_000, 'x') })
      expect(await changesOf(owner, id)).toMatchObject({
        passages: 1,
        files: [{ path: '', state: 'changed', lines: null }],
      })
      const long = await owner.publish(`<p>${'long '.repeat(400)}`)
      await owner.update(long.id, { html: '<p>short' })
      const [line] = (await changesOf(owner, long.id)).files[0]!.lines!
      expect([line!.text.length, line!.text.at(-1)]).toEqual([500, '…'])
    })

    it('needs a published version, or one that is named, of a page of the account', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      const { id } = await owner.publish('<p>a', { publish: false })
      await owner.update(id, { html: '<p>b' })
      const refused = await owner.refused('GET', `/pages/${id}/changes`)
      expect([refused.status, refused.body.error.code]).toEqual([409, 'nothing_published'])
      expect((await changesOf(owner, id, '?from=1')).passages).toBe(1)
      for (const query of ['?from=9', '?from=1&to=9']) {
        const { body } = await owner.refused('GET', `/pages/${id}/changes${query}`)
        expect(body.error.code).toBe('version_not_found')
      }
      expect((await other.refused('GET', `/pages/${id}/changes`)).status).toBe(404)
    })
  })
}
