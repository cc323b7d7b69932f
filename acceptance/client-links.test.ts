import { expect, test } from 'bun:test'
import { pro } from './client.ts'
import { shellOf } from './client-shell.ts'
import { html } from './material.ts'

test('link prints a link for one person, and links lists who opened theirs and switches one off', async () => {
  const page = await pro.publish({ html: html('x') })
  const shell = shellOf()
  const url = await shell.line('link', page.id, '--for', 'Ann (Acme)', '--expires', '7d')
  expect((await fetch(url, { redirect: 'manual' })).status).toBe(303)
  const [link] = await shell.json<{ id: string; label: string; opens: number }[]>('links', page.id)
  expect(link).toMatchObject({ label: 'Ann (Acme)', opens: 0, state: 'active' })
  await shell.line('links', page.id, '--off', link!.id)
  expect((await fetch(url, { redirect: 'manual' })).status).toBe(410)
})

test('link keeps its limits when it is mailed too, and refuses what would have no effect', async () => {
  const page = await pro.publish({ html: html('x') })
  const shell = shellOf()
  const limits = ['--expires', '7d', '--max-views', '3']
  const mailed = ['link', page.id, '--email', 'ann@example.com', '--mail', ...limits]
  const { links } = await shell.json<{ links: object[] }>(...mailed)
  const expected = { max_views: 3, expires_at: expect.stringMatching(/^20/) }
  expect(links).toMatchObject([expected])
  expect(await shell.json<object[]>('links', page.id)).toMatchObject([expected])
  for (const flags of [
    [],
    ['--for', 'Ann', '--mail'],
    ['--for', 'Ann', '--message', 'Hello'],
    ['--for', 'Ann', '--max-views', 'three'],
    ['--for', 'Ann', '--max-views', '0'],
  ]) {
    expect((await shell.run('link', page.id, ...flags)).code, flags.join(' ')).toBe(2)
  }
  expect(await shell.json<object[]>('links', page.id), 'no more than the first').toHaveLength(1)
})
