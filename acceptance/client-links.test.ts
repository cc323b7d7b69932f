import { expect, test } from 'bun:test'
import { type Page, pro } from './client.ts'
import { shellOf } from './client-shell.ts'
import { html, pdf, pdfOfSize } from './material.ts'

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

test('--agreement takes a text, or a file with the text or a PDF, and asks for an address', async () => {
  const shell = shellOf()
  shell.write('plan.html', html('x'))
  const agreementOf = async () => (await shell.json<Page>('get', 'plan.html')).agreement
  await shell.line('publish', 'plan.html', '--agreement', 'Tell nobody.')
  expect(await agreementOf()).toMatchObject({ version: 1, type: 'text', require: 'name' })
  await shell.line('update', 'plan.html', '--agreement-require', 'email')
  const result = await agreementOf()
  expect(result).toMatchObject({ version: 2, type: 'text', require: 'email' })
  shell.write('nda.txt', 'Tell Bob.')
  await shell.line('update', 'plan.html', '--agreement', 'nda.txt')
  expect(await agreementOf()).toMatchObject({
    ...{ version: 3, sha256: new Bun.CryptoHasher('sha256').update('Tell Bob.').digest('hex') },
  })
  shell.write('nda.pdf', Buffer.concat([Buffer.from('\n'), pdf()]))
  await shell.line('update', 'plan.html', '--agreement', 'nda.pdf')
  expect(await agreementOf()).toMatchObject({ version: 4, type: 'pdf' })
  const typo = await shell.run('update', 'plan.html', '--agreement', 'nad.pdf')
  expect([typo.code, typo.stderr]).toEqual([2, expect.stringContaining('no file nad.pdf here')])
  shell.write('large.pdf', pdfOfSize(1024 * 1024 + 1))
  expect((await shell.run('update', 'plan.html', '--agreement', 'large.pdf')).code).toBe(2)
  expect(await agreementOf()).toMatchObject({ version: 4 })
  await shell.line('update', 'plan.html', '--agreement', '')
  expect(await agreementOf()).toBeNull()
})
