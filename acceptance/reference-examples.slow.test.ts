/** Runs the examples of /docs and the README. */
import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { approver, confirmed, signOff } from './approvals/approver.ts'
import { dataOf, type Owner, type Page, send } from './client.ts'
import { formTo, person } from './gates/person.ts'
import { newEmail, newOwner, own, signedIn } from './gates/setup.ts'
import { word } from './material.ts'
import { document, examples, keysOf, LANGUAGES, type Operation } from './reference.ts'
import { FORM, viewer } from './responses/viewer.ts'
import { ownServer, server } from './server.ts'

const ROOT = join(import.meta.dir, '..')
/** A small `requests`, so that the test needs no package of Python. */
const PYTHON_PACKAGES = join(import.meta.dir, 'fixtures/python')
/** Python itself: its command may be a script that looks for it, which takes as long as an example. */
const PYTHON =
  Bun.which('python3') &&
  Bun.spawnSync(['python3', '-c', 'import sys; print(sys.executable)']).stdout.toString().trim()
const NO_BYTECODE = { PYTHONDONTWRITEBYTECODE: '1' }

interface Ran {
  readonly status: number
  readonly body: string
}

/** How the code of a language is run: what it prints is the body as JSON, a line, the status. */
const RUNNERS: Record<(typeof LANGUAGES)[number], (code: string) => string[]> = {
  curl: (code) => {
    const curl = `curl() { command curl -sS -w '\\n%{http_code}' "$@"; }`
    return ['bash', '-euc', `${curl}\n${code}`]
  },
  javascript: (code) => {
    const body = 'body === undefined ? "" : JSON.stringify(body)'
    const print = `(status, body) => process.stdout.write([${body}, status].join('\\n'))`
    return [process.execPath, '-e', `console.log = ${print}\n${code}`]
  },
  python: (code) => {
    const print = [
      'import json, sys',
      'def print(status, body=None):',
      '    text = "" if body is None else json.dumps(body)',
      '    sys.stdout.write(f"{text}\\n{status}")',
    ]
    return [PYTHON!, '-c', `${print.join('\n')}\n${code}`]
  },
}

/** Runs the code unchanged, except that what it prints can be parsed. */
async function run(
  language: (typeof LANGUAGES)[number],
  code: string,
  { key, folder }: { key: string; folder: string },
): Promise<Ran> {
  const child = Bun.spawn(RUNNERS[language](code), {
    cwd: folder,
    env: { ...ownServer().env, HANDBILL_API_KEY: key, PYTHONPATH: PYTHON_PACKAGES, ...NO_BYTECODE },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, failed, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (status !== 0) throw new Error(`exit ${status} of:\n${code}\n${failed}`)
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
  if (name === 'listFolders') await by.update(page.id, { folder: 'Clients' })
  if (name === 'readChanges') {
    // An example above has taken the page offline.
    await by.goLive(page.id)
    await by.update(page.id, { html: '<!doctype html><p>Changed' })
  }
  if (name === 'getPoll') {
    const settings = { poll_question: 'Which date?', poll_options: ['Friday', 'Monday'] }
    await by.update(page.id, { collect_votes: true, ...settings })
  }
  if (/Comments?$/.test(name)) {
    await by.update(page.id, { allow_comments: true })
    const comment = await by.call('POST', `/pages/${page.id}/comments`, { body: 'Why May?' })
    return { COMMENT_ID: dataOf<{ id: string }>(comment, 201).id }
  }
  if (/Responses?$/.test(name)) {
    const form = await by.publish({ html: FORM })
    const { id } = await viewer().respond(form, { name: 'Ada', guests: [{ name: 'Bo' }] })
    return { ID: form.id, RESPONSE_ID: id }
  }
  if (name === 'listViewers') {
    const email = newEmail('ada')
    const settings = { access: 'people', allowed_emails: [email], require_signin: true }
    const { id, slug } = await by.publish({ html: '<p>Hello</p>', ...settings })
    await (await signedIn(email)).open(`/p/${slug}`)
    return { ID: id }
  }
  if (/^(get|cancel)Ask$/.test(name)) {
    const approval = { people: ['ada@example.com'], question: { kind: 'approval' } }
    const answer = await by.call('POST', '/asks', { html: '<p>Hello</p>', ...approval })
    return { ASK_ID: dataOf<{ id: string }>(answer, 201).id }
  }
  if (/Webhook|eliver/.test(name)) {
    const webhooks = dataOf<{ id: string }[]>(await by.call('GET', '/webhooks'))
    const url = 'https://example.com/webhook'
    const made = () => by.call('POST', '/webhooks', { url })
    const { id } = webhooks[0] ?? dataOf<{ id: string }>(await made(), 201)
    const test = /eliver/.test(name) && (await by.call('POST', `/webhooks/${id}/test`))
    const delivery = test ? dataOf<{ id: string }>(test).id : ''
    return { WEBHOOK_ID: id, DELIVERY_ID: delivery }
  }
  if (/^(update|delete)Link$|^remindPeople$/.test(name)) {
    const link = await by.call('POST', `/pages/${page.id}/links`, { label: 'Ann (Acme)' })
    return { LINK_ID: dataOf<{ id: string }>(link, 201).id }
  }
  if (/Agreements?$/.test(name)) {
    const agreement = { text: 'Keep this to yourself.' }
    const { id, slug } = await by.publish({ html: '<p>Hello</p>', agreement })
    const visitor = person()
    const { action, fields } = formTo(await visitor.open(`/p/${slug}`), '/agree')
    await visitor.post(action, { ...fields, name: 'Ada' })
    return { ID: id }
  }
  if (name === 'getImportedRecord') return importedRecordOf(by)
  if (/Approval/.test(name)) {
    const settings = { collect_approvals: true, approver_emails: ['ada@example.com'] }
    return { ID: (await by.publish({ html: '<p>Hello</p>', ...settings })).id }
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

for (const language of LANGUAGES) {
  const isThere = language !== 'python' || PYTHON !== null
  own.skipIf(!isThere)(
    `every example of /docs for ${language} runs unchanged, with the status and fields it shows`,
    () => runExamples(language),
    600_000,
  )
}

async function archiveOf(key: string): Promise<Uint8Array<ArrayBuffer>> {
  const headers = { authorization: `Bearer ${key}` }
  return (await fetch(`${server.url}/api/v1/account/export`, { headers })).bytes()
}

/** Imports a page that an approver has approved elsewhere. */
async function importedRecordOf({ key }: Owner): Promise<Record<string, string>> {
  const { by, ann, page } = await signOff()
  await approver(await confirmed(ann)).decide(page)
  const headers = { authorization: `Bearer ${key}` }
  const sent = { method: 'POST', headers, body: await archiveOf(by.key) }
  const answer = await fetch(`${server.url}/api/v1/account/import`, sent)
  const { data } = (await answer.json()) as { data: { pages: { id: string }[] } }
  const { id } = data.pages[0]!
  const { data: approvals } = (await (
    await fetch(`${server.url}/api/v1/pages/${id}/approvals`, { headers })
  ).json()) as { data: { imported_records: { id: string }[] } }
  return { ID: id, RECORD_ID: approvals.imported_records[0]!.id }
}

/** Runs the examples of all operations, in an account of their own. */
async function runExamples(language: (typeof LANGUAGES)[number]): Promise<void> {
  const all = await examples()
  const { operations: declared } = await document()
  expect(Object.keys(all).sort()).toEqual(declared.map((o) => o.operationId).sort())
  const operations = declared.filter(({ isSessionOnly }) => !isSessionOnly)
  const by = await newOwner()
  const folder = mkdtempSync(join(tmpdir(), 'handbill-examples-'))
  let page: Page | undefined
  for (const { operationId: name, success } of inOrder(operations)) {
    const { request, answer } = all[name]!
    const names = page === undefined ? {} : { ID: page.id, ...(await filledIn(name, by, page)) }
    const file = name === 'importAccount' ? await archiveOf(by.key) : '<!doctype html><p>Large</p>'
    writeFileSync(join(folder, 'FILE'), file)
    const code = request[language].replace(
      /([/'"])([A-Z_]*ID)\b/g,
      (_, before: string, id: string) => `${before}${Reflect.get(names, id)}`,
    )
    expect(code, name).not.toContain('undefined')
    const ran = await run(language, code, { key: by.key, folder })
    expect(ran.status, `${code}\n${ran.body.slice(0, 300)}`).toBe(success)
    const body = answer === undefined ? undefined : (JSON.parse(ran.body) as { data: Page })
    expect(keysOf(body), `what ${name} answers`).toEqual(
      expect.arrayContaining(keysOf(answer && JSON.parse(answer))),
    )
    if (name === 'createPage') page = body!.data
  }
  rmSync(folder, { recursive: true })
}

own(
  'the commands of the README create an account, its key and a page',
  async () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
    const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, lines]) => lines!)
    const [account, ...others] = blocks.filter((lines) => lines.includes('bin/handbill account'))
    expect(others).toEqual([])
    const curls = blocks.filter((lines) => lines.includes('curl '))
    expect(curls).toHaveLength(1)
    // Whoever repeats the command gets another page.
    const lines = [account, ...curls, ...curls].join('\n')
    expect(lines).toContain('http://localhost:8787/')
    const here = lines.replaceAll('http://localhost:8787', server.url)
    const email = `${word('reader')}@example.com`
    const commands = here.replaceAll('you@example.com', email)
    const { status, body } = await run('curl', commands, { key: '', folder: ROOT })
    expect(status, body.slice(0, 300)).toBe(201)
    expect(body).not.toContain('"error"')
    const { url } = (JSON.parse(body.slice(body.lastIndexOf('{"data"'))) as { data: Page }).data
    expect((await send(url)).text).toContain('<h1>Hello</h1>')
  },
  240_000,
)

test('no example holds a key, and each takes it from the environment', async () => {
  const { operations } = await document()
  const output = await examples()
  for (const { operationId: name, isSessionOnly } of operations) {
    const { request } = output[name]!
    expect(Object.keys(request), name).toEqual(isSessionOnly ? [] : [...LANGUAGES])
    if (isSessionOnly) continue
    expect(request.curl, name).toStartWith('curl ')
    for (const language of LANGUAGES) {
      expect(request[language], `${name}, ${language}`).toContain('HANDBILL_API_KEY')
      expect(request[language], `${name}, ${language}`).not.toMatch(/sm_\w/)
    }
  }
})
