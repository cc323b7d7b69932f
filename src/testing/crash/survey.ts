import { expect } from 'bun:test'
import { callApi, fetchText, type Server } from './request.ts'

/** A page with a form, and the viewers who respond to it again and again. */
export interface Survey {
  page: { id: string; slug: string } | null
  responders: Responder[]
}

/** A viewer whose nth submission has the value n. */
interface Responder {
  credentials: { token: string; stamp: string } | null
  /** The number of the last submission that was answered. */
  answered: number
  /** The number of the last submission that was sent: the same, or one more. */
  sent: number
}

const RESPONDERS = 4
const FORM = '<!doctype html><title>Survey</title><form data-service><input name="n"></form>'

export function newSurvey(): Survey {
  const newResponder = () => ({ credentials: null, answered: 0, sent: 0 })
  return { page: null, responders: Array.from({ length: RESPONDERS }, newResponder) }
}

/** Publishes the survey's page, before the first crash. */
export async function publishSurvey(server: Server, survey: Survey): Promise<void> {
  const { status, data } = await callApi(server, 'POST /pages', { body: { html: FORM } })
  expect(status).toBe(201)
  survey.page = data as { id: string; slug: string }
}

/** Sends the next submission, or repeats the last one if it was not answered. */
export async function respond(server: Server, survey: Survey, responder: Responder): Promise<void> {
  responder.credentials ??= await readCredentials(server, survey)
  if (responder.sent === responder.answered) responder.sent += 1
  const { credentials, sent } = responder
  const body = { ...credentials, id: `submission-${sent}`, data: `{"n":${sent}}` }
  const init = { method: 'POST', body: JSON.stringify(body) }
  const { status, text } = await fetchText(`${server.url}/~/responses`, init)
  if (status !== 200) throw new Error(`A submission was answered ${status}: ${text}`)
  expect((JSON.parse(text) as { data: object }).data).toMatchObject({ submit_count: sent })
  responder.answered = sent
}

async function readCredentials({ url }: Server, { page }: Survey) {
  const { text } = await fetchText(`${url}/p/${page!.slug}`, {})
  const [, token = ''] = /data-token="([^"]+)"/.exec(text) ?? []
  const [, stamp = ''] = /data-stamp="([^"]+)"/.exec(text) ?? []
  return { token, stamp }
}

/**
 * Checks that each responder's last answered submission is stored, or the unanswered one after it,
 * and that the last submission, sent again, counts once.
 */
export async function verifySurvey(server: Server, survey: Survey): Promise<void> {
  for (const responder of survey.responders.filter(({ sent }) => sent > 0)) {
    const stored = (await listStored(server, survey)).map(({ data }) => data.n)
    const possible = [responder.answered, responder.sent].filter((n) => n > 0)
    expect(stored.filter((n) => possible.includes(n)).length).toBeGreaterThanOrEqual(
      responder.answered > 0 ? 1 : 0,
    )
    await respond(server, survey, responder)
  }
  const results = (await listStored(server, survey)).map(({ data, submit_count: submitCount }) => [
    data.n,
    submitCount,
  ])
  const answered = survey.responders.map(({ answered }) => answered).filter((n) => n > 0)
  expect(results.toSorted()).toEqual(answered.map((n) => [n, n]).toSorted())
}

interface Stored {
  data: { n: number }
  submit_count: number
}

async function listStored(server: Server, { page }: Survey): Promise<Stored[]> {
  const { data } = await callApi(server, `GET /pages/${page!.id}/responses`)
  const { responses, status } = data as { responses: Stored[]; status: { count: number } }
  expect(status.count).toBe(responses.length)
  return responses
}
