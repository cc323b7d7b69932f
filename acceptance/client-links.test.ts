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
