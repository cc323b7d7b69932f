import { expect, test } from 'bun:test'
import type { Page } from './client.ts'
import { shellOf } from './client-shell.ts'
import { html, pdf, pdfOfSize } from './material.ts'

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
