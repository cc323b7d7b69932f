import { expect, test } from 'bun:test'
import { pro } from './client.ts'
import { shellOf } from './client-shell.ts'
import { html, png, word } from './material.ts'
import { server } from './server.ts'

interface Asked {
  id: string
  page: { id: string; url: string }
  waiting: string[]
  links: { who: string; url: string }[]
  outcome: string | null
}

test('ask makes a page of a file for the people asked, and --json has the links where no mails go out', async () => {
  const shell = shellOf()
  shell.write('plan.html', html(`Plan ${word()}`))
  const people = ['ann@example.com', 'ben@example.com']
  const poll = ['--poll', 'Where?', '--option', 'Lisbon', '--option', 'Porto']
  const result = await shell.json<Asked>('ask', 'plan.html', '--people', people.join(), ...poll)
  expect(result).toMatchObject({ waiting: people, outcome: null })
  const page = (await pro.call('GET', `/pages/${result.page.id}`)).json as { data: object }
  expect(page.data).toMatchObject({ access: 'people', allowed_emails: people, poll_named: true })
  expect(result.links.map(({ who }) => who)).toEqual(people)
  for (const { url } of result.links) expect((await fetch(url)).status).toBe(200)
  const again = await shell.json<Asked>('ask', 'plan.html', '--people', 'cy@example.com', ...poll)
  expect(again.page.id).toBe(result.page.id)
  expect(await shell.line('open', 'plan.html')).toBe(result.page.url)
})

test('ask takes along what a page uses, and leaves no page where nobody was asked', async () => {
  const shell = shellOf()
  shell.write('plan.html', html(`Plan ${word()}`, '<img src="plan.png">'))
  shell.write('plan.png', png())
  const people = ['--people', 'ann@example.com']
  const { stderr } = await shell.run('ask', 'plan.html', ...people, '--form')
  expect(stderr).toContain('has no form')
  expect((await shell.run('open', 'plan.html')).code).toBe(4)
  const result = await shell.json<Asked>('ask', 'plan.html', ...people, '--approve')
  expect(await pro.page(result.page.id)).toMatchObject({ kind: 'bundle', access: 'people' })
})

test('ask keeps the page where people were asked and the answer got lost', async () => {
  const shell = shellOf()
  shell.write('plan.html', html(`Plan ${word()}`))
  using proxy = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const answer = await fetch(server.url + pathname + search, request)
      return pathname.endsWith('/asks') ? new Response('Bad gateway', { status: 502 }) : answer
    },
  })
  const env = { HANDBILL_URL: proxy.url.origin }
  const asking = ['ask', 'plan.html', '--people', 'ann@example.com', '--approve']
  expect((await shell.runWith({ env }, ...asking)).code).toBe(1)
  const { stdout } = await shell.runWith({ env }, 'get', 'plan.html', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ state: 'live', access: 'people' })
})

test('ask says what is missing, and publishes nothing then', async () => {
  const shell = shellOf()
  shell.write('plan.html', html('x'))
  for (const [args, said] of [
    [['plan.html', '--approve'], '--people is missing'],
    [['', '--people', 'ann@example.com', '--approve'], 'PAGE is missing.'],
    [['plan.html', '--people', 'ann@example.com'], 'Give one of --poll, --approve and --form.'],
    [['plan.html', '--people', 'ann@example.com', '--form', '--option', 'a'], 'goes with --poll'],
  ] as const) {
    const { code, stderr } = await shell.run('ask', ...args)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(said) })
  }
})
