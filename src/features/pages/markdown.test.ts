import { describe, expect, it } from 'bun:test'
import { ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { exported, imported } from '../../testing/archives.ts'
import { fileOf } from '../../testing/material.ts'
import type { Owner } from '../../testing/people.ts'
import type { Warning } from '../content/contract.ts'

const TEXT = '# Plan\n\nWe start on **9 May** in Berlin.\n\nBring a coat.\n'

interface Draft {
  html: string
  source?: string
  markdown?: string
  files?: { path: string; html?: string; source?: string; markdown?: string }[]
  assets?: { path: string }[]
}

const draftOf = (owner: Owner, id: string) => owner.ask<Draft>('GET', `/pages/${id}/html?full=true`)
const shownAt = async (app: TestApp, path: string) => (await app.open(path)).text()

async function warningsOf(owner: Owner, method: string, path: string, body: object) {
  const { body: answer } = await owner.call<{ warnings: Warning[] }>(method, path, body)
  return answer.warnings.map(({ code, path: file }) => [code, file])
}

for (const engine of ENGINES) {
  describe(`a page of Markdown on ${engine}`, () => {
    it('keeps its source beside its HTML, and visitors get the HTML alone', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish({ markdown: TEXT, filename: 'plan.md' })
      expect(page).toMatchObject({ kind: 'single', title: 'Plan', entry_path: null, file: null })
      const text = await shownAt(app, `/p/${page.slug}`)
      expect(text).toContain('We start on <strong>9 May</strong>')
      expect(text).not.toContain('**9 May**')
      expect((await app.open(`/p/${page.slug}/plan.md`)).status).toBe(404)
      expect(await draftOf(owner, page.id)).toMatchObject({ source: 'plan.md', markdown: TEXT })
      const { files } = await owner.ask<{ files: { path: string; type: string }[] }>(
        'GET',
        `/pages/${page.id}/files`,
      )
      expect(files.map(({ path }) => path)).toEqual(['index.html', 'plan.md'])
      const download = await owner.call<string>('GET', `/pages/${page.id}/download`)
      expect(download.body).toBe(TEXT)
      expect(download.headers.get('content-disposition')).toContain('Plan.md')
    })

    it('is read as Markdown alone, unless all is asked for', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish({ markdown: TEXT })
      const read = await owner.ask<Draft>('GET', `/pages/${id}/html`)
      expect(read).toMatchObject({ kind: 'single', source: 'index.md', markdown: TEXT })
      expect(read).not.toHaveProperty('html')
      expect((await draftOf(owner, id)).html).toContain('<strong>9 May</strong>')
      const files = [
        { path: 'a.md', markdown: TEXT },
        { path: 'b.html', html: '<p>b' },
      ]
      const deck = await owner.publish({ files })
      const { files: texts } = await owner.ask<Draft>('GET', `/pages/${deck.id}/html`)
      expect(texts).toEqual([
        { path: 'a.html', source: 'a.md', markdown: TEXT },
        { path: 'b.html', html: '<p>b' },
      ])
    })

    it('is edited in its Markdown; versions, copies and exports have both', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish({ markdown: TEXT })
      const edits = [{ find: '**9 May**', replace: '**16 May**' }]
      await owner.ask('PATCH', `/pages/${page.id}/html`, { edits, publish: true })
      expect(await shownAt(app, `/p/${page.slug}`)).toContain('<strong>16 May</strong>')
      const missing = { edits: [{ find: '<strong>', replace: 'x' }] }
      const refused = await owner.refused('PATCH', `/pages/${page.id}/html`, missing)
      expect(refused.body.error.code).toBe('edit_not_found')
      const result = await owner.ask<object>('GET', `/pages/${page.id}/html?find=16+May`)
      expect(result).toMatchObject({ count: 1, matches: [{ file: 'index.md', line: 3 }] })

      const copy = await owner.ask('POST', `/pages/${page.id}/duplicate`)
      expect((await draftOf(owner, copy.id)).markdown).toContain('**16 May**')
      await owner.ask('POST', `/pages/${page.id}/versions/1/restore`)
      expect((await draftOf(owner, page.id)).markdown).toBe(TEXT)
      await using elsewhere = await testApp(engine)
      const other = await elsewhere.owner()
      const moved = await imported(elsewhere, other, await exported(app, owner))
      const all = await Promise.all(moved.map(({ id }) => draftOf(other, id!)))
      expect(all.map(({ markdown }) => markdown).sort()).toEqual(
        [TEXT.replace('9 May', '16 May'), TEXT].sort(),
      )
    })

    it('becomes HTML where HTML is sent, which is said, and Markdown again', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish({ markdown: TEXT })
      const path = `/pages/${id}`
      const html = '<!doctype html><meta name="viewport" content="width=device-width"><p>x'
      expect(await warningsOf(owner, 'PATCH', path, { html })).toEqual([
        ['markdown_replaced', null],
      ])
      expect(await draftOf(owner, id)).not.toHaveProperty('markdown')
      expect(await warningsOf(owner, 'PATCH', path, { html: `${html}y` })).toEqual([])
      expect(await warningsOf(owner, 'PATCH', path, { markdown: TEXT })).toEqual([])
      expect((await draftOf(owner, id)).markdown).toBe(TEXT)
    })

    it('keeps comments at their words after an edit, and calls them outdated without', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish({ markdown: TEXT }, { allow_comments: true })
      for (const [quote, prefix] of [
        ['in Berlin', 'We start on 9 May '],
        ['Bring a coat', ''],
      ]) {
        const anchor = { quote, prefix, suffix: '.' }
        await owner.ask('POST', `/pages/${id}/comments`, { body: quote, anchor })
      }
      const edits = [
        { find: '# Plan', replace: '# The plan\n\n> [!NOTE]\n> New.' },
        { find: 'Bring a coat.', replace: 'Bring nothing.' },
      ]
      await owner.ask('PATCH', `/pages/${id}/html`, { edits, publish: true })
      const comments = await owner.ask<{ body: string; anchor_state: string }[]>(
        'GET',
        `/pages/${id}/comments`,
      )
      expect(comments.map(({ body, anchor_state }) => [body, anchor_state])).toEqual([
        ['in Berlin', 'moved'],
        ['Bring a coat', 'outdated'],
      ])
    })

    it('is refused where it cannot be rendered, and nothing is stored', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      for (const [markdown, code] of [
        ['> '.repeat(10_000), 'invalid_markdown'],
        ['x'.repeat(2 * 1024 * 1024 + 1), 'content_too_large'],
        [' \n', 'empty_html'],
      ] as const) {
        const answer = await owner.refused('POST', '/pages', { markdown })
        expect(answer.body.error.code).toBe(code)
      }
      expect(await app.rows('manifests')).toHaveLength(0)
    })
  })

  describe(`a deck of Markdown on ${engine}`, () => {
    const FILES = [
      { path: 'README.md', markdown: '# Home\n\n[One](docs/one.md)\n\n![](docs/a.png)' },
      { path: 'docs/one.md', markdown: '# One\n\n[Home](../README.md)' },
    ]
    const ASSETS = [
      { path: 'docs/a.png', data_base64: Buffer.from(fileOf('png')).toString('base64') },
    ]

    it('has a page for each file, and links between them lead there', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish({ files: FILES, assets: ASSETS })
      expect(page).toMatchObject({ kind: 'bundle', entry_path: 'index.html', file_count: 2 })
      const at = (path: string) => shownAt(app, `/p/${page.slug}/${path}`)
      expect(await at('index.html')).toContain('<a href="docs/one.html">')
      expect(await at('docs/one.html')).toContain('<a href="../index.html">')
      expect((await app.open(`/p/${page.slug}/README.md`)).status).toBe(404)
      const { files, assets } = await draftOf(owner, page.id)
      expect(files!.map(({ path, source }) => [path, source])).toEqual([
        ['index.html', 'README.md'],
        ['docs/one.html', 'docs/one.md'],
      ])
      expect(assets!.map(({ path }) => path)).toEqual(['docs/a.png'])
    })

    it('keeps what an update keeps, by either name, and moves its Markdown along', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish({ files: FILES, assets: ASSETS })
      const files = [
        { path: 'README.md', keep: 'README.md' },
        { path: 'docs/two.html', keep: 'docs/one.html' },
        { path: 'three.html', html: '<meta name="viewport" content="width=device-width"><p>3' },
      ]
      await owner.update(id, { files, entry: 'docs/two.md' })
      const draft = await draftOf(owner, id)
      expect(draft.files!.map(({ path, source }) => [path, source])).toEqual([
        ['index.html', 'README.md'],
        ['docs/two.html', 'docs/two.md'],
        ['three.html', undefined],
      ])
      expect(draft.assets).toHaveLength(1)
      expect(draft).toMatchObject({ entry: 'docs/two.html' })
      const edit = { edits: [{ find: '# One', replace: '# Two' }], file: 'docs/two.html' }
      await owner.ask('PATCH', `/pages/${id}/html`, edit)
      await owner.ask('PATCH', `/pages/${id}/html`, {
        edits: [{ find: '# Two', replace: '# Deux' }],
        file: 'docs/two.md',
      })
      const edited = (await draftOf(owner, id)).files!.find(({ path }) => path === 'docs/two.html')
      expect(edited!.html).toContain('<h1 id="deux">Deux</h1>')
      const html = [{ path: 'index.html', html: files[2]!.html! }]
      expect(await warningsOf(owner, 'PATCH', `/pages/${id}`, { files: html })).toContainEqual([
        'markdown_replaced',
        'index.html',
      ])
    })

    it('refuses text under the wrong name, and two files of one page', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      for (const [files, code] of [
        [[{ path: 'a.md', html: '<p>x' }], 'bad_path'],
        [[{ path: 'a.html', markdown: 'x' }], 'bad_path'],
        [[FILES[0], { path: 'index.html', html: '<p>x' }], 'duplicate_path'],
      ] as const) {
        const answer = await owner.refused('POST', '/pages', { files })
        expect(answer.body.error.code).toBe(code)
      }
    })
  })
}
