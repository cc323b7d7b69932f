import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { type Page, pro, send } from './client.ts'
import { shellOf } from './client-shell.ts'
import { html, word } from './material.ts'

const SLOW = 240_000

test(
  'rm moves a page to the trash, and takes it back; --now deletes, and refuses where it cannot ask',
  async () => {
    const shell = shellOf()
    const title = word('Trashed')
    const page = await pro.publish({ html: html('x'), title })
    const moved = await shell.run('rm', page.id)
    expect(moved).toMatchObject({ code: 0, stdout: '' })
    expect(moved.stderr).toMatch(/^“.+” is in the trash until \d{4}-\d\d-\d\d\.\n$/)
    expect((await send(`/p/${page.slug}`)).status).toBe(404)
    expect((await pro.page(page.id)).state).toBe('trash')
    expect((await shell.run('list', '--trash')).stdout).toContain(title)
    expect((await shell.run('list')).stdout).not.toContain(title)
    expect((await shell.run('unpublish', page.id)).stderr).toMatch(/\(in_trash\)/)
    expect(await shell.run('rm', '--undo', page.slug)).toMatchObject({ stdout: `${page.url}\n` })
    expect((await send(`/p/${page.slug}`)).status).toBe(200)

    const refused = await shell.run('rm', page.id, '--now')
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/--yes/)
    expect((await pro.page(page.id)).id).toBe(page.id)
    const deleted = await shell.json<object>('rm', page.id, '--now', '--yes')
    expect(deleted).toEqual({ id: page.id, deleted: true })
    expect((await pro.call('GET', `/pages/${page.id}`)).status).toBe(404)
    expect((await shell.run('rm', page.id)).stderr).toMatch(/\(page_not_found\)/)
    const path = shell.write('a.html', html('x'))
    const { id } = await shell.json<Page>('publish', 'a.html')
    rmSync(path)
    expect((await shell.run('rm', 'a.html')).code, 'a deleted file').toBe(0)
    expect((await pro.page(id)).state).toBe('trash')
    expect((await shell.run('rm', '--undo', 'a.html')).code, 'by its path').toBe(0)
    expect((await pro.page(id)).state).toBe('live')
    await shell.run('rm', 'a.html')
    shell.write('a.html', html('x'))
    const again = await shell.run('publish', 'a.html')
    expect(again.stderr).toContain(`is in the trash (handbill rm --undo ${id}): this makes a new`)
    expect((await pro.page(id)).state).toBe('trash')
    const other = await shell.json<Page>('get', 'a.html')
    expect((await shell.run('rm', '--now', '--yes', 'a.html')).code).toBe(0)
    expect(shell.read('.handbill.json'), 'it is no longer recorded').not.toContain(other.id)
  },
  SLOW,
)
