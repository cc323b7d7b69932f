/** What the guide "Wait for people" has to paste in, run as it stands there. */
import { expect, test } from 'bun:test'
import { dirname, join } from 'node:path'
import { type Page, pro } from './client.ts'
import { shellOf } from './client-shell.ts'
import { panelOf } from './comments/panel.ts'
import { newOwner, own } from './gates/setup.ts'
import { html, word } from './material.ts'
import { agent, untrustedIn } from './mcp-client.ts'
import { FORM } from './responses/viewer.ts'
import { handbill, server } from './server.ts'

const SLOW = 240_000
const guide = await Bun.file(join(import.meta.dir, '../docs/feedback.md')).text()

/** The examples of a language, in their order. */
const examples = (language: string) =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\n(.+?)\`\`\``, 'gs'))].map(([, text]) => text!)

const [follow, curl, askCommand, askRequest, limitedKey] = examples('sh')
const [program] = examples('js')
const [sample] = examples('json')

/** Starts an example with the names of this server and page in place of those of the guide. */
function start(
  command: string[],
  example: string,
  { page = '', shell = shellOf(), env = {} } = {},
) {
  shell.write('plan.html', html(word('x')))
  const here = example.replaceAll('https://pages.example.com', server.url).replaceAll('pg_…', page)
  return Bun.spawn([...command, here], {
    cwd: shell.folder,
    env: { ...shell.env, ...env, PATH: `${dirname(handbill)}:${process.env.PATH}` },
    stdout: 'pipe',
    stderr: 'pipe',
    // A group of its own, to end what the example itself has started.
    detached: true,
  })
}

/** What it prints until there is enough of it, when it is ended. */
async function printed(
  child: ReturnType<typeof start>,
  isEnough: (text: string) => boolean,
  to: 'stdout' | 'stderr' = 'stdout',
) {
  let text = ''
  for await (const piece of child[to].pipeThrough(new TextDecoderStream())) {
    text += piece
    if (isEnough(text)) break
  }
  process.kill(-child.pid, 'SIGKILL')
  return text
}

const linesIn = (text: string) => text.split('\n').length - 1
const talk = () => pro.publish({ html: html('x'), title: word('Plan'), allow_comments: true })

test(
  'an agent finds the tools and members that the guide tells it of, and waits and edits by them',
  async () => {
    await using it = await agent('http')
    const { tools } = await it.client.listTools()
    const [waits = '', asks = ''] = examples('text')
    const names = tools.flatMap(({ name, inputSchema }) => [
      ...[name, ...Object.keys(inputSchema.properties ?? {})],
    ])
    const told = [...`${waits} ${asks}`.matchAll(/\b[a-z]+_[a-z_]+\b/g)].map(([name]) => name)
    expect(told).toContain('wait_for_feedback')
    // `outcome` is of a result; every name with a `_` is of a call.
    expect(told.filter((name) => !names.includes(name))).toEqual([])

    const { id: page_id, slug } = await talk()
    const waiting = it.call('wait_for_feedback', { page_id, wait_s: 50, cursor: 'start' })
    await (await panelOf({ slug })).comment('Why x?')
    const [{ comment }] = untrustedIn(await waiting).data.items
    const edits = [{ find: 'x', replace: 'y' }]
    const edited = await it.call('edit_page', { page_id, edits, addresses: [comment.id] })
    expect(edited.isError, edited.text).toBe(false)
    expect(asks).toContain('question {"kind": "approval"}')
  },
  SLOW,
)

test(
  'the lines for a shell print what is new and follow what comes',
  async () => {
    const shell = shellOf()
    shell.write('plan.html', html('x'))
    const { id, url } = await shell.json<Page>('publish', 'plan.html')
    await pro.update(id, { allow_comments: true })
    const panel = await panelOf({ slug: new URL(url).pathname.slice('/p/'.length) })
    await panel.comment('One')
    const child = start(['bash', '-ec'], follow!, { shell })
    const next = word('Two')
    const text = printed(child, (so) => so.includes(next))
    await Bun.sleep(1000)
    await panel.comment(next)
    expect(await text).toMatch(/\tOne\n.*"body":"Two-/s)
  },
  SLOW,
)

test(
  'the request answers what the guide shows, and the program prints it',
  async () => {
    const page = await talk()
    const panel = await panelOf(page)
    await panel.comment('Why nine?')
    const { data } = JSON.parse(
      await new Response(start(['bash', '-ec'], curl!, { page: page.id }).stdout).text(),
    )
    const output = JSON.parse(sample!).data
    expect(Object.keys(output).toSorted()).toEqual(Object.keys(data).toSorted())
    const [[event], [real]] = [output.items, data.items]
    expect(Object.keys(event).toSorted()).toEqual(Object.keys(real).toSorted())
    expect(real).toMatchObject({ type: event.type, page_title: page.title, link_label: null })
    const { id: _, ...comment } = event.comment
    expect(real.comment).toMatchObject(comment)

    const child = start(['node', '--input-type=module', '-e'], program!, { page: page.id })
    const lines = printed(child, (text) => linesIn(text) === 2)
    await panel.comment('Why ten?')
    expect(await lines).toBe(`comment ${page.title}\n`.repeat(2))
  },
  SLOW,
)

own(
  'the command and the request that ask people ask them',
  async () => {
    const child = start(['bash', '-ec'], askCommand!)
    const said = await printed(child, (text) => text.includes('Waiting for 2 on '), 'stderr')
    expect(said).toContain('ben@example.com: http')

    const page = await pro.publish({ html: FORM, access: 'people' })
    const request = askRequest!.replace('50', '0').replace('"plan"', `"${page.id}"`)
    const { data } = JSON.parse(await new Response(start(['bash', '-ec'], request).stdout).text())
    expect(data).toMatchObject({ kind: 'form', waiting: ['ann@example.com'], outcome: null })
    const paths = [...guide.matchAll(/`(GET|POST) (\/asks\/[^`]*)`/g)]
    expect(paths).toHaveLength(2)
    for (const [, method, path] of paths) {
      // Before the id, which may have the number in it.
      const at = path!.replace('50', '0').replace('{ask_id}', data.id)
      expect((await pro.call(method!, at)).status).toBe(200)
    }
  },
  SLOW,
)

own('the command for a key makes one that is limited to confirmed people', async () => {
  const { email } = await newOwner()
  const line = limitedKey!.replace('you@example.com', email)
  const { stdout } = start(['bash', '-ec'], line, { env: server.own!.env })
  expect(await new Response(stdout).text()).toMatch(/\bsm_\w+/)
})
