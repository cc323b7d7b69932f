import { expect, test } from 'bun:test'
import { pro } from './client.ts'
import { shellOf } from './client-shell.ts'
import { html, word } from './material.ts'

test('ask --wait ends with the deadline, and says who has answered and who has not', async () => {
  const page = await pro.publish({ html: html('x'), title: `Plan ${word()}` })
  const shell = shellOf()
  // The command has to start before it, also on a machine that does other work.
  const due = new Date(Date.now() + 4000).toISOString()
  const approve = ['--people', 'ann@example.com', '--approve', '--due', due, '--wait']
  expect(await shell.line('ask', page.id, ...approve)).toBe('ann@example.com\t\thas not answered')
  const { data } = (await pro.call('GET', `/pages/${page.id}`)).json as { data: object }
  expect(data).toMatchObject({ access: 'link', approver_emails: ['ann@example.com'] })
})
