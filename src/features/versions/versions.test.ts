import { describe, expect, it } from 'bun:test'
import { createHash } from 'node:crypto'
import { ENGINES, testApp } from '../../testing/app.ts'
import { base64, fileOf } from '../../testing/material.ts'
import type { Owner } from '../../testing/people.ts'
import { contentWork } from '../../testing/threads.ts'
import { createContent } from '../content/index.ts'
import { createVersions } from './index.ts'

/** `2 edit, 1 publish`: newest first. */
async function history(owner: Owner, id: string): Promise<string> {
  const versions = await owner.versions(id)
  return versions.map(({ version_no, source }) => `${version_no} ${source}`).join(', ')
}
const numbersOf = async (owner: Owner, id: string) =>
  (await owner.versions(id)).map((version) => version.version_no)
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => from - i)

for (const engine of ENGINES) {
  describe(`versions on ${engine}`, () => {
    it('are saved on each publish and each edit, with their size and time', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<p>one')
      await owner.update(id, { html: '<p>three' })
      const [second, first] = await owner.versions(id)
      expect(first).toMatchObject({ version_no: 1, source: 'publish', label: null, size_bytes: 6 })
      expect(second).toMatchObject({ version_no: 2, source: 'edit', label: null, size_bytes: 8 })
      expect(second!.created_at > first!.created_at).toBe(true)
      expect(Object.keys(second!).sort()).toEqual(
        ['created_at', 'label', 'size_bytes', 'source', 'version_no'].sort(),
      )
    })

    it('of a page created as a draft begin with an edit, which publishing marks as published', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<p>one', { publish: false })
      expect(await history(owner, id)).toBe('1 edit')
      await owner.ask('POST', `/pages/${id}/publish`)
      expect(await history(owner, id)).toBe('1 publish')
      await owner.ask('POST', `/pages/${id}/publish`)
      expect(await history(owner, id)).toBe('1 publish')
    })

    it('are not saved again for content that the newest one holds', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<p>one')
      await owner.update(id, { html: '<p>one' })
      await owner.update(id, { html_base64: base64('<p>one') })
      await owner.update(id, { title: 'Settings are no content' })
      await owner.edit(id, 'one', 'one')
      expect(await history(owner, id)).toBe('1 publish')
      await owner.update(id, { html: '<p>two' })
      await owner.update(id, { html: '<p>one' })
      expect(await history(owner, id)).toBe('3 edit, 2 edit, 1 publish')
      expect((await owner.page(id)).has_unpublished_changes).toBe(false)
    })

    it('of decks are compared by all files and the entry', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = (path: string) => ({ path, html: `<p>${path}` })
      const files = [page('a.html'), page('b.html')]
      const { id } = await owner.publish({ files, entry: 'a.html' })
      await owner.update(id, { files: [...files].reverse(), entry: 'a.html' })
      expect(await history(owner, id)).toBe('1 publish')
      await owner.update(id, { entry: 'b.html' })
      const asset = { path: 'x.png', data_base64: base64(fileOf('png')) }
      await owner.update(id, { files, entry: 'b.html', assets: [asset] })
      expect(await history(owner, id)).toBe('3 edit, 2 edit, 1 publish')
      const second = await owner.ask<object>('GET', `/pages/${id}/versions/2`)
      expect(second).toMatchObject({ kind: 'bundle', entry: 'b.html', files })
      expect(second).not.toHaveProperty('html')
      const one = await owner.ask<object>('GET', `/pages/${id}/versions/3?file=a.html`)
      expect(one).toMatchObject({ version_no: 3, entry: 'b.html', files: [page('a.html')] })
      expect(one).not.toHaveProperty('assets')
      for (const file of ['x.png', 'c.html']) {
        const none = await owner.refused('GET', `/pages/${id}/versions/3?file=${file}`)
        expect(none.body.error).toMatchObject({ code: 'file_not_found', param: 'file' })
      }
      const single = await owner.publish('<p>one')
      const wrong = await owner.refused('GET', `/pages/${single.id}/versions/1?file=a.html`)
      expect(wrong.body.error.code).toBe('wrong_kind')
    })

    it('are saved before and after an edit: restoring the one before undoes it', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish('<p>one')
      const { edits, data } = await owner.edit(id, 'one', 'two', { publish: true })
      expect(edits).toMatchObject({ previous_version: 1, version: 2 })
      expect(data).toMatchObject({ is_published: true, has_unpublished_changes: false })
      expect(await history(owner, id)).toBe('2 publish, 1 publish')
      const undo = { publish: true }
      await owner.ask('POST', `/pages/${id}/versions/${edits.previous_version}/restore`, undo)
      expect(await owner.html(id)).toBe('<p>one')
      expect(await (await app.open(`/p/${slug}`)).text()).toEndWith('<p>one')
      expect(await history(owner, id)).toBe('3 restore, 2 publish, 1 publish')
    })

    it('are always added by a restore, even of what the draft holds', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish('<p>one')
      await owner.ask('POST', `/pages/${id}/versions/1/restore`)
      await owner.ask('POST', `/pages/${id}/versions/2/restore`, { publish: true })
      expect(await history(owner, id)).toBe('3 restore, 2 restore, 1 publish')
      await owner.update(id, { html: '<p>two' })
      const restored = await owner.ask('POST', `/pages/${id}/versions/1/restore`, {})
      expect(restored).toMatchObject({ id, has_unpublished_changes: false, is_published: true })
      await owner.ask('POST', `/pages/${id}/versions/4/restore`)
      expect(await owner.html(id)).toBe('<p>two')
      expect(await (await app.open(`/p/${slug}`)).text()).toEndWith('<p>one')
    })

    it('that do not exist are 404, and a restore of one writes nothing', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<p>one')
      const other = await owner.publish('<p>another page')
      await owner.update(other.id, { html: '<p>its second version' })
      const requests = [
        ['GET', ''],
        ['PATCH', ''],
        ['POST', '/restore'],
      ] as const
      for (const [method, rest] of requests) {
        const body = method === 'PATCH' ? { label: 'x' } : undefined
        const answer = await owner.refused(method, `/pages/${id}/versions/2${rest}`, body)
        expect([answer.status, answer.body.error.code]).toEqual([404, 'version_not_found'])
      }
      expect(await history(owner, id)).toBe('1 publish')
    })

    it('that are written at the same time get different numbers, without a gap', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<p>0')
      const restores = Array.from({ length: 8 }, () =>
        owner.call('POST', `/pages/${id}/versions/1/restore`),
      )
      const statuses = (await Promise.all(restores)).map(({ status }) => status)
      const done = statuses.filter((status) => status === 200).length
      expect(statuses.every((status) => status === 200 || status === 409)).toBe(true)
      expect(await numbersOf(owner, id)).toEqual(down(done + 1, 1))
    })

    it('remember how edits changed a file, and forget it with the page', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<p>one two')
      const hashOf = (html: string) => createHash('sha256').update(html).digest('hex')
      const [first, second, third] = ['<p>one two', '<p>1 two', '<p>1 2'].map(hashOf)
      await owner.edit(id, 'one', '1')
      await owner.edit(id, 'two', '2')
      const { database, blobs, space, clock } = app
      const content = createContent({ database, blobs, space, clock, work: contentWork })
      const { editsBetween } = createVersions({
        database,
        content,
        clock,
        addStored: app.accounts.addStored,
      })
      expect(await editsBetween(id, { from: first!, to: third! })).toEqual([
        [{ start: 3, end: 6, length: 1 }],
        [{ start: 5, end: 8, length: 1 }],
      ])
      expect(await editsBetween(id, { from: second!, to: first! })).toEqual([
        [{ start: 3, end: 4, length: 3 }],
      ])
      expect(await editsBetween(id, { from: first!, to: hashOf('<p>else') })).toBeNull()
      await owner.call('DELETE', `/pages/${id}`)
      expect(await app.rows('file_edits')).toEqual([])
    })

    it('are deleted with their page, and with no other', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [gone, kept] = [await owner.publish('<p>one'), await owner.publish('<p>one')]
      await owner.update(gone.id, { html: '<p>two' })
      await owner.call('DELETE', `/pages/${gone.id}`)
      expect((await owner.refused('GET', `/pages/${gone.id}/versions`)).status).toBe(404)
      expect((await app.rows('versions')).map((row) => row.page_id)).toEqual([kept.id])
    })

    it('are read, named and restored by the page’s owner alone', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      const { id } = await owner.publish('<p>mine')
      const requests: [string, string, object?][] = [
        ['GET', '/versions'],
        ['GET', '/versions/1'],
        ['PATCH', '/versions/1', { label: 'Theirs' }],
        ['POST', '/versions/1/restore', { publish: true }],
      ]
      for (const [method, rest, body] of requests) {
        const answer = await other.refused(method, `/pages/${id}${rest}`, body)
        expect([answer.status, answer.body.error.code]).toEqual([404, 'page_not_found'])
        expect(JSON.stringify(answer.body)).not.toContain('mine')
      }
      expect(await history(owner, id)).toBe('1 publish')
    })
  })
}
