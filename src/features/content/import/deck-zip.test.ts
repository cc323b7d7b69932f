import { describe, expect, it } from 'bun:test'
import { ENGINES, testApp } from '../../../testing/app.ts'
import { agentWith } from '../../../testing/mcp.ts'
import type { Owner } from '../../../testing/people.ts'
import { type ZipEntry, zipOf } from '../../../testing/zips.ts'
import type { ContentFiles } from '../contract.ts'

const page = (words: string) => `<!doctype html><title>${words}</title><p>${words}</p>`
const index: ZipEntry = { path: 'index.html', content: page('start') }
const named = { filename: 'site.zip' }

const pathsOf = async (owner: Owner, id: string) =>
  (await owner.ask<ContentFiles>('GET', `/pages/${id}/files`)).files.map(({ path }) => path).sort()

async function zipUpload(owner: Owner, ...entries: ZipEntry[]): Promise<string> {
  return (await owner.upload(zipOf(...entries))).id
}

for (const engine of ENGINES) {
  describe(`an uploaded zip on ${engine}`, () => {
    it('replaces the files of a deck, with a new entry, and no page of another kind', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const id = await zipUpload(owner, index, { path: 'old.css', content: 'p{}' })
      const deck = await owner.publish({ file_upload: id, ...named })
      const next = await zipUpload(
        owner,
        { path: 'a.html', content: page('a') },
        { path: 'b.html', content: page('b') },
      )
      const change = { file_upload: next, filename: 'Site 2.ZIP' }
      const updated = await owner.update(deck.id, { ...change, entry: 'b.html' })
      expect(updated).toMatchObject({ entry_path: 'b.html', title: 'start' })
      expect(await pathsOf(owner, deck.id)).toEqual(['a.html', 'b.html'])
      expect(await (await app.open(`/p/${deck.slug}/index.html`)).text()).toContain('start')
      const wrong = await owner.refused('PATCH', `/pages/${deck.id}`, {
        ...change,
        entry: 'c.html',
      })
      expect(wrong.body.error).toMatchObject({ code: 'bad_entry', param: 'entry' })
      const single = await owner.publish(page('single'))
      const other = await owner.refused('PATCH', `/pages/${single.id}`, change)
      expect(other.body.error.code).toBe('wrong_kind')
      const asPdf = { file_upload: next, filename: 'a.pdf' }
      const pdf = await owner.refused('PATCH', `/pages/${deck.id}`, asPdf)
      expect(pdf.body.error.code).toBe('wrong_kind')
      expect(await pathsOf(owner, deck.id)).toEqual(['a.html', 'b.html'])
    })

    it('is what an agent publishes with two calls, and no file of it is an argument', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const agent = agentWith(app, owner.key)
      const link = (await agent.call('create_upload', {})).json as {
        data: { id: string; url: string }
      }
      const zip = zipOf(index, { path: 'two.html', content: page('two') })
      const put = { method: 'PUT', body: zip as BodyInit }
      const sent = await app.fetch(new Request(link.data.url, put))
      expect(sent.status).toBe(201)
      const { isError, json } = await agent.call('publish_file', {
        file_upload: link.data.id,
        ...named,
      })
      expect(isError).toBeFalsy()
      const { id } = (json as { data: { id: string } }).data
      expect(await owner.page(id)).toMatchObject({ kind: 'bundle', source: 'mcp', file_count: 2 })
    })

    it('is refused where its upload is another’s, or its bytes are sent otherwise', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      const id = await zipUpload(other, index)
      const upload = (await owner.upload(zipOf(index))).id
      const base64 = Buffer.from(zipOf(index)).toString('base64')
      const refused: [object, string, string][] = [
        [{ file_upload: id, ...named }, 'upload_not_found', 'file_upload'],
        [{ file_base64: base64, ...named }, 'unsupported_file_type', 'file_base64'],
        [{ file_upload: upload }, 'unsupported_file_type', 'file_upload'],
        [{ file_upload: upload, ...named, assets: [] }, 'content_source', 'assets'],
        [{ file_upload: upload, filename: 'a.docx' }, 'unsupported_file_type', 'file_upload'],
      ]
      for (const [body, code, param] of refused) {
        expect((await owner.refused('POST', '/pages', body)).body.error).toMatchObject({
          code,
          param,
        })
      }
      expect(await app.rows('pages')).toEqual([])
    })
  })
}
