import { expect } from 'bun:test'
import type { Ledger } from './ledger.ts'
import { ask, reach, type Server } from './load.ts'

/** A page with a form, and who answers it again and again. */
export interface Survey {
  page: { id: string; slug: string } | null
  responders: Responder[]
}

/** One viewer, whose nth submission holds n. */
interface Responder {
  opened: { token: string; stamp: string } | null
  /** Of the last submission that was answered. */
  answered: number
  /** Of the last that was sent: the same, or one more. */
  sent: number
}

const RESPONDERS = 4
const FORM = '<!doctype html><title>Survey</title><form data-service><input name="n"></form>'

export function newSurvey(): Survey {
  const newResponder = () => ({ opened: null, answered: 0, sent: 0 })
  return { page: null, responders: Array.from({ length: RESPONDERS }, newResponder) }
}

/** Before anything crashes: the survey itself is not what is tried. */
export async function openSurvey(server: Server, { survey }: Ledger): Promise<void> {
  const { status, data } = await ask(server, 'POST', '/pages', { body: { html: FORM } })
  expect(status).toBe(201)
  survey.page = data as { id: string; slug: string }
}

/** Sends the next submission, or the last one again where no answer came. */
export async function respond(server: Server, survey: Survey, who: Responder): Promise<void> {
  who.opened ??= await openedBy(server, survey)
  if (who.sent === who.answered) who.sent += 1
  const body = { ...who.opened, id: `submission-${who.sent}`, data: `{"n":${who.sent}}` }
  const init = { method: 'POST', body: JSON.stringify(body) }
  const { status, text } = await reach(`${server.url}/~/responses`, init)
  if (status !== 200) throw new Error(`A submission was answered ${status}: ${text}`)
  expect((JSON.parse(text) as { data: object }).data).toMatchObject({ submit_count: who.sent })
  who.answered = who.sent
}

async function openedBy({ url }: Server, { page }: Survey) {
  const { text } = await reach(`${url}/p/${page!.slug}`, {})
  const [, token = ''] = /data-token="([^"]+)"/.exec(text) ?? []
  const [, stamp = ''] = /data-stamp="([^"]+)"/.exec(text) ?? []
  return { token, stamp }
}

/** Each has what was answered, or the one more that was not; sent again, it counts once. */
export async function verifySurvey(server: Server, { survey }: Ledger): Promise<void> {
  for (const who of survey.responders.filter(({ sent }) => sent > 0)) {
    const kept = (await keptOf(server, survey)).map(({ data }) => data.n)
    const possible = [who.answered, who.sent].filter((n) => n > 0)
    expect(kept.filter((n) => possible.includes(n)).length).toBeGreaterThanOrEqual(
      who.answered > 0 ? 1 : 0,
    )
    await respond(server, survey, who)
  }
  const found = (await keptOf(server, survey)).map(({ data, submit_count: submitCount }) => [
    data.n,
    submitCount,
  ])
  const answered = survey.responders.map(({ answered }) => answered).filter((n) => n > 0)
  expect(found.toSorted()).toEqual(answered.map((n) => [n, n]).toSorted())
}

interface Kept {
  data: { n: number }
  submit_count: number
}

async function keptOf(server: Server, { page }: Survey): Promise<Kept[]> {
  const { data } = await ask(server, 'GET', `/pages/${page!.id}/responses`)
  const { responses, status } = data as { responses: Kept[]; status: { count: number } }
  expect(status.count).toBe(responses.length)
  return responses
}
