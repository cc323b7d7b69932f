import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Page, pro, type Version, visitor } from './client.ts'
import { shellOf, slugOf } from './client-shell.ts'
import { html, word } from './material.ts'
import { FORM, type Report, viewer } from './responses/viewer.ts'
import { handbill, server } from './server.ts'

const SLOW = 240_000

test(
  'a page is named by its id, slug or address, or by the path that was published',
  async () => {
    const shell = shellOf()
    shell.write('sub/a.html', html('x', word('title')))
    const page = await shell.json<Page>('publish', 'sub/a.html')
    const names = [page.id, page.slug, page.url, `${page.url}/x.html`, 'sub/a.html']
    const pages = await Promise.all(names.map((name) => shell.json<Page>('get', name)))
    expect(pages.map(({ id }) => id)).toEqual(names.map(() => page.id))
    const stranger = shellOf(server.keys.other)
    for (const name of [page.id, page.slug, page.url, 'sub/a.html', '..', 'nothing-like-it']) {
      const { code, stdout, stderr } = await stranger.run('get', name)
      expect({ code, stdout }, name).toEqual({ code: 4, stdout: '' })
      expect(stderr, name).toMatch(/You have no page|page_not_found/)
      expect(stderr).not.toContain(page.title ?? 'x'.repeat(9))
    }
  },
  SLOW,
)

test(
  'update replaces the content, changes settings, or both',
  async () => {
    const shell = shellOf()
    const page = await pro.publish({ html: html('one') })
    shell.write('two.html', html('two'))
    expect(await shell.line('update', page.id, 'two.html', '--accent', 'red')).toBe(page.url)
    expect((await visitor.open(page.slug)).text).toBe(html('two'))
    expect((await pro.page(page.id)).accent).toBe('red')
    shell.write('two.html', html('unseen'))
    await shell.line('update', page.slug, 'two.html', '--draft')
    expect((await visitor.open(page.slug)).text).toBe(html('two'))
    const slug = word('chosen').toLowerCase()
    const moved = await shell.json<Page>('update', page.id, '--slug', slug, '--allow-comments')
    expect(moved).toMatchObject({ slug, allow_comments: true, has_unpublished_changes: true })
    expect((await shell.run('update', page.id)).code, 'nothing to change').toBe(2)
  },
  SLOW,
)

test(
  'edit replaces text in the draft, or publishes it, and can be undone',
  async () => {
    const shell = shellOf()
    const page = await pro.publish({ html: html('one two two') })
    const edited = await shell.json<{ page: Page; edits: { previous_version: number } }>(
      ...['edit', page.id, '--find', 'one', '--replace', 'three'],
    )
    expect(edited.page.has_unpublished_changes).toBe(true)
    expect((await visitor.open(page.slug)).text).toContain('one')
    const twice = await shell.run('edit', page.id, '--find', 'two', '--replace', 'x')
    expect(twice).toMatchObject({ code: 1, stdout: '' })
    expect(twice.stderr).toMatch(/^handbill: .+ \(edit_ambiguous\)\n$/)
    const live = ['--find', 'two', '--replace', '', '--all', '--publish']
    expect(await shell.line('edit', page.id, ...live)).toBe(page.url)
    expect((await visitor.open(page.slug)).text).toContain('<p>three  </p>')
    const back = String(edited.edits.previous_version)
    expect(await shell.line('restore', page.id, back, '--publish')).toBe(page.url)
    expect((await visitor.open(page.slug)).text).toBe(html('one two two'))
  },
  SLOW,
)

test(
  'versions and list print tab-separated lines if piped, or JSON',
  async () => {
    const shell = shellOf(server.keys.team)
    const made = await shell.runWith({ input: html('x') }, 'publish', '-', '--title', word())
    const slug = slugOf(made.stdout.trim())
    const { id } = await shell.json<Page>('get', slug)
    const versions = await shell.run('versions', id)
    expect(versions.stdout).toMatch(/^1\tpublish\t\t\d+\t\d{4}-\d\d-\d\dT[^\t\n]+Z\n$/)
    const [version] = await shell.json<Version[]>('versions', id)
    expect(version).toMatchObject({ version_no: 1, source: 'publish' })
    const { stdout } = await shell.run('list')
    const lines = stdout.trimEnd().split('\n')
    expect(lines.every((line) => line.split('\t').length === 4)).toBe(true)
    expect(lines[0]!.split('\t').slice(1)).toEqual(['link', '0', made.stdout.trim()])
    const pages = await shell.json<Page[]>('list')
    expect(pages[0]!.id).toBe(id)
    expect(pages[0]).not.toHaveProperty('password')
  },
  SLOW,
)

test(
  'open prints the address, and starts no browser without a terminal',
  async () => {
    const page = await pro.publish({ html: html('x') })
    const shell = shellOf()
    shell.write('bin/xdg-open', '#!/bin/sh\ntouch "$0.was-run"\n')
    const env = { PATH: `${shell.folder}/bin:${process.env.PATH}` }
    const { stdout } = await shell.runWith({ env }, 'open', page.slug)
    expect(stdout).toBe(`${page.url}\n`)
    expect((await pro.page(page.id)).views).toBe(0)
    expect(() => shell.read('bin/xdg-open.was-run')).toThrow()
  },
  SLOW,
)

test(
  'responses are lines without control characters, JSON or CSV',
  async () => {
    const shell = shellOf()
    const page = await pro.publish({ html: FORM })
    await viewer().respond(page, { email: 'ann@example.com', remarks: 'red\n\u001b]0;owned\u0007' })
    const last = await viewer().respond(page, { email: 'ben@example.com', remarks: 'a, "b"' })
    const [plain, csv, report, newer, wrong] = await Promise.all([
      shell.run('responses', page.id),
      shell.run('responses', page.id, '--csv'),
      shell.json<Report>('responses', page.id),
      shell.json<Report>('responses', page.id, '--since', last.submitted_at),
      shell.run('responses', page.id, '--since', 'yesterday'),
    ])
    const lines = plain.stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    expect(lines[0]!.split('\t').slice(0, 2)).toEqual([last.id, last.submitted_at])
    expect(JSON.parse(lines[0]!.split('\t')[3]!)).toMatchObject({ remarks: 'a, "b"' })
    expect(plain.stdout).not.toContain('\u001b')
    const sent = await pro.call('GET', `/pages/${page.id}/responses?format=csv`)
    expect(csv.stdout).toBe(sent.text)
    expect(report.responses.map(({ id }) => id)[0]).toBe(last.id)
    expect(report).toMatchObject({ total: 2, next_offset: null })
    expect(newer).toMatchObject({ total: 0, responses: [] })
    expect(wrong.stderr).toContain('--since takes a time')
  },
  SLOW,
)

test(
  'a closed pipe is not an error, and a full disk is one',
  async () => {
    const shell = shellOf()
    shell.write('cut.sh', '"$1" list --json | head -c 1; "$1" list --json > /dev/full')
    const child = Bun.spawn(['sh', join(shell.folder, 'cut.sh'), handbill], {
      env: shell.env,
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const stderr = await new Response(child.stderr).text()
    expect(await new Response(child.stdout).text()).toBe('[')
    expect(await child.exited).toBe(1)
    expect(stderr).toMatch(/^handbill: [^\n]+\n$/)
  },
  SLOW,
)
