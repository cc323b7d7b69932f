import { expect, test } from 'bun:test'
import { approver, confirmed } from './approvals/approver.ts'
import { pro } from './client.ts'
import { shellOf } from './client-shell.ts'
import { panelOf } from './comments/panel.ts'
import { newEmail } from './gates/setup.ts'
import { html } from './material.ts'
import { FORM, viewer } from './responses/viewer.ts'

const SLOW = 240_000

interface Event {
  type: string
  comment: { body: string }
}
const bodiesIn = (text: string) =>
  text.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as Event).comment.body))

test(
  'feedback prints each event once, over calls; --all begins anew, and what it prints is one line',
  async () => {
    const page = await pro.publish({ html: html('x'), allow_comments: true })
    const panel = await panelOf(page)
    await panel.comment('One\n\u001b[31mred')
    await panel.comment('Two')
    const shell = shellOf()
    const ask = async (...args: string[]) =>
      (await shell.run('feedback', page.id, '--json', ...args)).stdout
    expect(bodiesIn(await ask())).toEqual(['One\n[31mred', 'Two'])
    expect(await ask()).toBe('')
    await panel.comment('Three')
    expect(bodiesIn(await ask())).toEqual(['Three'])
    const all = await shell.run('feedback', page.id, '--all')
    const cells = all.stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
    expect(cells.map((row) => [row[3], row[5]])).toEqual([
      ['comment', 'One [31mred'],
      ['comment', 'Two'],
      ['comment', 'Three'],
    ])
    expect(all.stdout).not.toContain('\u001b')
    expect((await shell.run('feedback', '--types', 'none')).stderr).toContain('types takes some of')
  },
  SLOW,
)

test(
  'feedback --follow of a page that is deleted meanwhile ends as not found',
  async () => {
    const page = await pro.publish({ html: html('x'), allow_comments: true })
    await (await panelOf(page)).comment('One')
    const child = shellOf().start(['feedback', page.id, '--follow', '--json'])
    // It waits once it has printed what there is.
    await child.stdout.getReader().read()
    await pro.call('DELETE', `/pages/${page.id}`)
    expect([await child.exited, await new Response(child.stderr).text()]).toEqual([
      4,
      'handbill: There is no such page in this account. (page_not_found)\n',
    ])
  },
  SLOW,
)

test(
  'feedback and inbox say what an approver decided in the same words',
  async () => {
    const ann = newEmail('ann')
    const settings = { collect_approvals: true, approver_emails: [ann] }
    const page = await pro.publish({ html: html('x'), ...settings })
    const note = 'Not\nyet'
    await approver(await confirmed(ann)).decide(page, { decision: 'changes_requested', note })
    const shell = shellOf()
    for (const command of ['feedback', 'inbox']) {
      const cells = (await shell.line(command, page.id)).split('\t')
      expect(cells.slice(-2)).toEqual([ann, 'requested changes to version 1: Not yet'])
    }
  },
  SLOW,
)

test(
  'feedback prints no character that controls a terminal, and is whole for a reader that stops early',
  async () => {
    const page = await pro.publish({ html: FORM })
    for (const name of ['\u001b[31mred', 'Bo']) await viewer().respond(page, { name })
    const shell = shellOf()
    const told = await shell.run('feedback', page.id)
    expect(told.stdout.trimEnd().split('\n')).toHaveLength(2)
    expect(told.stdout).not.toContain('\u001b')
    const { stdout } = await shell.run('feedback', page.id, '--all', '--json')
    expect(stdout).toContain('\\u001b[31mred')
    expect(stdout).not.toContain('\u001b')
  },
  SLOW,
)

test(
  'feedback --follow prints what happens as it happens, and goes on where it was ended',
  async () => {
    const page = await pro.publish({ html: html('x'), allow_comments: true })
    const panel = await panelOf(page)
    const shell = shellOf()
    const start = () => {
      const child = shell.start(['feedback', page.id, '--follow', '--json'])
      const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
      return { child, next: async () => bodiesIn((await lines.read()).value ?? '') }
    }
    const first = start()
    await panel.comment('Now')
    expect(await first.next()).toEqual(['Now'])
    await Bun.sleep(200)
    first.child.kill('SIGINT')
    await first.child.exited
    await panel.comment('Meanwhile')
    const second = start()
    expect(await second.next()).toEqual(['Meanwhile'])
    await panel.comment('Later')
    expect(await second.next()).toEqual(['Later'])
    second.child.kill('SIGINT')
    await second.child.exited
  },
  SLOW,
)
