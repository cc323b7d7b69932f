/** Runs the examples of /docs and the README in a shell. */
import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataOf, type Owner, type Page, send } from './client.ts'
import { formTo, person } from './gates/person.ts'
import { newOwner, own } from './gates/setup.ts'
import { word } from './material.ts'
import { document, examplesIn, keysOf, type Operation } from './reference.ts'
import { FORM, viewer } from './responses/viewer.ts'
import { ownServer, server } from './server.ts'

const ROOT = join(import.meta.dir, '..')

interface Ran {
  readonly status: number
  readonly body: string
}

/** Runs the lines unchanged, except that `curl` also prints the status. */
async function shell(lines: string, key: string, folder: string): Promise<Ran> {
  const curl = `curl() { command curl -sS -w '\\n%{http_code}' "$@"; }`
  const child = Bun.spawn(['bash', '-euc', `${curl}\n${lines}`], {
    cwd: folder,
    env: { ...ownServer().env, HANDBILL_API_KEY: key },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, failed, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(`exit ${code} of:\n${lines}\n${failed}`)
  const end = stdout.lastIndexOf('\n')
  return { status: Number(stdout.slice(end + 1)), body: stdout.slice(0, end) }
}

/** Creates what some examples need. @returns the ids that a reader would fill in */
async function filledIn(name: string, by: Owner, page: Page): Promise<Record<string, string>> {
  if (/AccessRequests?$/.test(name)) {
    await by.update(page.id, { access: 'people', allow_access_requests: true })
    await by.goLive(page.id)
    const who = person()
    const { action, fields } = formTo(await who.open(`/p/${page.slug}`), '/request')
    await who.post(action, { ...fields, email: 'ada@example.com' })
    const list = await by.call('GET', `/pages/${page.id}/access-requests`)
    return { REQUEST_ID: dataOf<{ id: string }[]>(list)[0]!.id }
  }
  if (name === 'getPoll') {
    const settings = { poll_question: 'Which date?', poll_options: ['Friday', 'Monday'] }
    await by.update(page.id, { collect_votes: true, ...settings })
  }
  if (/Responses?$/.test(name)) {
    const form = await by.publish({ html: FORM })
    const { id } = await viewer().respond(form, { name: 'Ada', guests: [{ name: 'Bo' }] })
    return { ID: form.id, RESPONSE_ID: id }
  }
  return {}
}

/** In the order of the document, except that deleting the page comes last. */
function inOrder(operations: Operation[]): Operation[] {
  const isLast = ({ method, path }: Operation) => method === 'delete' && path === '/pages/{id}'
  return [
    ...operations.filter((one) => one.operationId === 'createPage'),
    ...operations.filter((one) => one.operationId !== 'createPage' && !isLast(one)),
    ...operations.filter(isLast),
  ]
}

own(
  'every example of /docs runs unchanged, and gets the status and fields it shows',
  async () => {
    const examples = examplesIn((await send('/docs')).text)
    const { operations } = await document()
    expect(Object.keys(examples).sort()).toEqual(operations.map((o) => o.operationId).sort())
    const by = await newOwner()
    const folder = mkdtempSync(join(tmpdir(), 'handbill-examples-'))
    writeFileSync(join(folder, 'FILE'), '<!doctype html><p>Large</p>')
    let page: Page | undefined
    for (const { operationId: name, success } of inOrder(operations)) {
      const { request, answer } = examples[name]!
      const names = page === undefined ? {} : { ID: page.id, ...(await filledIn(name, by, page)) }
      const lines = request.replace(
        /\/([A-Z_]*ID)\b/g,
        (_, id: string) => `/${Reflect.get(names, id)}`,
      )
      expect(lines, name).not.toContain('undefined')
      const ran = await shell(lines, by.key, folder)
      expect(ran.status, `${lines}\n${ran.body.slice(0, 300)}`).toBe(success)
      const body = ran.body === '' ? undefined : (JSON.parse(ran.body) as { data: Page })
      expect(keysOf(body), `what ${name} answers`).toEqual(
        expect.arrayContaining(keysOf(answer && JSON.parse(answer))),
      )
      if (name === 'createPage') page = body!.data
    }
    rmSync(folder, { recursive: true })
  },
  60_000,
)

own(
  'the commands of the README create an account, its key and a page',
  async () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
    const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, lines]) => lines!)
    const [account, ...others] = blocks.filter((lines) => lines.includes('bin/handbill account'))
    expect(others).toEqual([])
    const curls = blocks.filter((lines) => lines.includes('curl '))
    expect(curls).toHaveLength(1)
    const lines = [account, ...curls].join('\n')
    expect(lines).toContain('http://localhost:8787/')
    const here = lines.replaceAll('http://localhost:8787', server.url)
    const email = `${word('reader')}@example.com`
    const { status, body } = await shell(here.replaceAll('you@example.com', email), '', ROOT)
    expect(status, body.slice(0, 300)).toBe(201)
    const { url } = (JSON.parse(body.slice(body.indexOf('{"data"'))) as { data: Page }).data
    expect((await send(url)).text).toContain('<h1>Hello</h1>')
  },
  30_000,
)

test('no example holds a key, and none is empty', async () => {
  for (const [name, { request }] of Object.entries(examplesIn((await send('/docs')).text))) {
    expect(request, name).toStartWith('curl ')
    expect(request, name).toContain('$HANDBILL_API_KEY')
    expect(request, name).not.toMatch(/sm_\w/)
  }
})
