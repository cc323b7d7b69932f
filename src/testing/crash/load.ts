import {
  contentOf,
  type ExpectedPage,
  type ExpectedState,
  newPage,
  newText,
  type PageState,
  STATE_AFTER,
} from './expected-state.ts'
import { callApi, fetchText, NoAnswer, type Server } from './request.ts'
import { respond } from './survey.ts'

/** Writes, views and responds concurrently until the server is killed. */
export async function load(
  server: Server,
  expected: ExpectedState,
  onAnswer: () => void,
): Promise<void> {
  const { survey } = expected
  const writers = Array.from({ length: 4 }, () => repeat(() => write(server, expected)))
  const viewers = Array.from({ length: 4 }, () => repeat(() => viewAnyPage(server, expected)))
  const responders = survey.responders.map((each) => repeat(() => respond(server, survey, each)))
  await Promise.all([...writers, ...viewers, ...responders])

  async function repeat(act: () => Promise<void>): Promise<void> {
    try {
      for (;;) {
        await act()
        onAnswer()
      }
    } catch (err) {
      if (!(err instanceof NoAnswer)) throw err
    }
  }
}

async function write(server: Server, expected: ExpectedState): Promise<void> {
  const { pages } = expected
  const idle = pages.filter((page) => !page.isBusy && page.possibleStates[0]!.page !== null)
  const page = pick(idle)
  if (page === undefined || (pages.length < 60 && Math.random() < 0.3)) {
    return Math.random() < 0.2 ? upload(server, expected) : create(server, expected, newPage())
  }
  page.isBusy = true
  await change(server, page)
  page.isBusy = false
}

export async function create(
  server: Server,
  { pages }: ExpectedState,
  page: ExpectedPage,
): Promise<void> {
  if (!pages.includes(page)) pages.push(page)
  page.isBusy = true
  const { key, body } = page.creation
  const headers = { 'idempotency-key': key }
  const { status, data } = await callApi(server, 'POST /pages', { body, headers })
  if (status !== 201) throw new Error(`A create was answered ${status}`)
  page.id = (data as { id: string }).id
  page.possibleStates = [page.possibleStates.at(-1)!]
  page.isBusy = false
}

async function upload(server: Server, { uploads }: ExpectedState): Promise<void> {
  const text = newText()
  const { status, data } = await callApi(server, 'POST /uploads', { raw: text })
  if (status !== 201) throw new Error(`An upload was answered ${status}`)
  uploads.push({ id: (data as { id: string }).id, text })
}

interface Change {
  method: string
  path: string
  body?: object
  stateAfter: (before: PageState) => PageState
}

async function change(server: Server, page: ExpectedPage): Promise<void> {
  const before = page.possibleStates[0]!
  const text = newText()
  const { method, path, body, stateAfter } = chooseChange(page, before.page!, text)
  page.possibleStates = [before, stateAfter(before)]
  const options = body === undefined ? {} : { body }
  const { status } = await callApi(server, `${method} /pages/${page.id}${path}`, options)
  if (status >= 300) throw new Error(`${method} ${path} was answered ${status}`)
  page.possibleStates = [page.possibleStates[1]!]
}

function chooseChange(
  { isDeck, sentTexts }: ExpectedPage,
  { draft, live, versions }: NonNullable<PageState['page']>,
  text: string,
): Change {
  const publish = Math.random() < 0.5
  const versionNo = 1 + Math.floor(Math.random() * versions.length)
  const restorePath = `/versions/${versionNo}/restore`
  const edits = [{ find: draft.slice(0, 60), replace: text.slice(0, 60) }]
  const edited = text.slice(0, 60) + draft.slice(60)
  sentTexts.add(text).add(edited)
  const { replace, edit, restore } = STATE_AFTER
  const publishing: Change = { method: 'POST', path: '/publish', stateAfter: STATE_AFTER.publish }
  // The pruning of versions has its own tests.
  if (versions.length >= 40) return publishing
  const choices: Change[] = [
    { method: 'PATCH', path: '', body: contentOf(isDeck, text), stateAfter: replace(text) },
    { method: 'PATCH', path: '/html', body: { edits, publish }, stateAfter: edit(edited, publish) },
    publishing,
    {
      ...{ method: 'POST', path: restorePath, body: { publish } },
      stateAfter: restore(versionNo, publish),
    },
  ]
  if (live !== null && Math.random() < 0.2) {
    choices.push({ method: 'DELETE', path: '/publish', stateAfter: STATE_AFTER.unpublish })
  }
  if (Math.random() < 0.1) {
    choices.push({ method: 'DELETE', path: '', stateAfter: STATE_AFTER.delete })
  }
  return pick(choices)!
}

async function viewAnyPage(server: Server, { pages }: ExpectedState): Promise<void> {
  const page = pick(pages.filter(({ id }) => id !== null))
  if (page !== undefined) await view(server, page)
  else await fetchText(`${server.url}/healthz`, {})
}

/** Views the page once. Returns one of its texts, whole, or null for an error page. */
export async function view({ url }: Server, page: ExpectedPage): Promise<string | null> {
  page.viewsSent += 1
  const path = `/p/${page.slug}${page.isDeck ? '/index.html' : ''}`
  const { status, text } = await fetchText(url + path, {})
  if (status === 200) page.viewsAnswered += 1
  const isExpected = status === 200 ? page.sentTexts.has(text) : status === 404 || status === 410
  if (!isExpected) throw new Error(`${path} was answered ${status}: ${text.slice(0, 200)}`)
  return status === 200 ? text : null
}

function pick<T>(list: T[]): T | undefined {
  return list[Math.floor(Math.random() * list.length)]
}
