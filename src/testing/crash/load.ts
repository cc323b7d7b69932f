import {
  AFTER,
  contentOf,
  type Entry,
  type Ledger,
  newEntry,
  newText,
  type State,
} from './ledger.ts'
import { respond } from './responders.ts'

export interface Server {
  url: string
  key: string
}

/** Thrown where no answer came: the server is dead, or was while it had the request. */
class Unanswered extends Error {}

export async function ask(
  { url, key }: Server,
  method: string,
  path: string,
  given: { body?: object; headers?: Record<string, string>; raw?: string } = {},
) {
  const { body, headers = {}, raw } = given
  const answer = await reach(`${url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(raw !== undefined && { body: raw }),
  })
  const parsed = answer.text === '' ? null : (JSON.parse(answer.text) as { data: never })
  return { status: answer.status, data: parsed?.data as never }
}

export async function reach(url: string, init: RequestInit) {
  try {
    const answer = await fetch(url, { ...init, redirect: 'manual' })
    return { status: answer.status, text: await answer.text() }
  } catch (cause) {
    throw new Unanswered(url, { cause })
  }
}

/** Reads, edits, publishes, opens and answers all that is known, until the server is gone. */
export async function load(server: Server, ledger: Ledger, answered: () => void): Promise<void> {
  const writers = Array.from({ length: 4 }, () => untilGone(() => write(server, ledger)))
  const viewers = Array.from({ length: 4 }, () => untilGone(() => open(server, ledger)))
  const { survey } = ledger
  const responders = survey.responders.map((each) => untilGone(() => respond(server, survey, each)))
  await Promise.all([...writers, ...viewers, ...responders])

  async function untilGone(act: () => Promise<void>): Promise<void> {
    try {
      for (;;) {
        await act()
        answered()
      }
    } catch (err) {
      if (!(err instanceof Unanswered)) throw err
    }
  }
}

async function write(server: Server, ledger: Ledger): Promise<void> {
  const idle = ledger.entries.filter((entry) => !entry.isBusy && entry.states[0]!.page !== null)
  const entry = pick(idle)
  if (entry === undefined || (ledger.entries.length < 60 && Math.random() < 0.3)) {
    return Math.random() < 0.2 ? upload(server, ledger) : create(server, ledger, newEntry())
  }
  entry.isBusy = true
  await change(server, entry)
  entry.isBusy = false
}

export async function create(server: Server, ledger: Ledger, entry: Entry): Promise<void> {
  if (!ledger.entries.includes(entry)) ledger.entries.push(entry)
  entry.isBusy = true
  const { key, body } = entry.creation
  const headers = { 'idempotency-key': key }
  const { status, data } = await ask(server, 'POST', '/pages', { body, headers })
  if (status !== 201) throw new Error(`A create was answered ${status}`)
  entry.id = (data as { id: string }).id
  entry.states = [entry.states.at(-1)!]
  entry.isBusy = false
}

async function upload(server: Server, ledger: Ledger): Promise<void> {
  const text = newText()
  const { status, data } = await ask(server, 'POST', '/uploads', { raw: text })
  if (status !== 201) throw new Error(`An upload was answered ${status}`)
  ledger.uploads.push({ id: (data as { id: string }).id, text })
}

async function change(server: Server, entry: Entry): Promise<void> {
  const { draft, live, versions } = entry.states[0]!.page!
  const text = newText()
  const publish = Math.random() < 0.5
  const versionNo = 1 + Math.floor(Math.random() * versions.length)
  const edits = [{ find: draft.slice(0, 60), replace: text.slice(0, 60) }]
  const edited = text.slice(0, 60) + draft.slice(60)
  const replacing = contentOf(entry.isDeck, text)
  const choices: [string, string, object | undefined, (before: State) => State][] = [
    ['PATCH', '', replacing, AFTER.replace(text)],
    ['PATCH', '/html', { edits, publish }, AFTER.edit(edited, publish)],
    ['POST', '/publish', undefined, AFTER.publish],
    ['POST', `/versions/${versionNo}/restore`, { publish }, AFTER.restore(versionNo, publish)],
  ]
  if (live !== null && Math.random() < 0.2) {
    choices.push(['DELETE', '/publish', undefined, AFTER.unpublish])
  }
  if (Math.random() < 0.1) choices.push(['DELETE', '', undefined, AFTER.delete])
  // Pruning has its own tests.
  const [method, path, body, after] = versions.length < 40 ? pick(choices)! : choices[2]!
  entry.texts.add(text).add(edited)
  entry.states = [entry.states[0]!, after(entry.states[0]!)]
  const given = body === undefined ? {} : { body }
  const { status } = await ask(server, method, `/pages/${entry.id}${path}`, given)
  if (status >= 300) throw new Error(`${method} ${path} was answered ${status}`)
  entry.states = [entry.states[1]!]
}

async function open(server: Server, { entries }: Ledger): Promise<void> {
  const entry = pick(entries.filter(({ id }) => id !== null))
  if (entry !== undefined) await look(server, entry)
  else await reach(`${server.url}/healthz`, {})
}

/** One opening; what comes is one of the page's texts, whole, or a notice (null). */
export async function look({ url }: Server, entry: Entry): Promise<string | null> {
  entry.opensSent += 1
  const path = `/p/${entry.slug}${entry.isDeck ? '/index.html' : ''}`
  const { status, text } = await reach(url + path, {})
  if (status === 200) entry.opensAnswered += 1
  const isRight = status === 200 ? entry.texts.has(text) : status === 404 || status === 410
  if (!isRight) throw new Error(`${path} was answered ${status}: ${text.slice(0, 200)}`)
  return status === 200 ? text : null
}

function pick<T>(list: T[]): T | undefined {
  return list[Math.floor(Math.random() * list.length)]
}
