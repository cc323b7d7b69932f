/** Reads polls and votes as the panel does, without a browser. */
import { type Answer, dataOf, type Fields, type Owner, type Page, pro, send } from '../client.ts'
import { type Person, person } from '../gates/person.ts'
import { html, word } from '../material.ts'
import { server } from '../server.ts'

export interface Credentials {
  readonly token: string
  readonly stamp: string
}

export interface PollView {
  readonly question: string
  readonly options: {
    text: string
    votes: number | null
    share: number | null
    names: string[] | null
  }[]
  readonly total_votes: number | null
  readonly shows_results: boolean
  readonly is_closed: boolean
  readonly is_named: boolean
  readonly requires_email: boolean
  readonly own_vote: { option: string | null; name: string | null } | null
}

export interface Poll {
  readonly collecting: boolean
  readonly question: string | null
  readonly options: { text: string; votes: number; share: number }[]
  readonly total_votes: number
  readonly closes_at: string | null
  readonly is_closed: boolean
  readonly voters: { email: string; name: string; option: string; voted_at: string }[] | null
  readonly next_offset: number | null
}

/** Publishes a page with a poll of the options A, B and C. */
export function publishPoll(settings: Fields = {}, by: Owner = pro): Promise<Page> {
  return by.publish({
    html: html(word('content'), word('title')),
    collect_votes: true,
    poll_question: 'Which one?',
    poll_options: ['A', 'B', 'C'],
    ...settings,
  })
}

export async function pollOf({ id }: Page, by: Owner = pro, query = ''): Promise<Poll> {
  return dataOf<Poll>(await by.call('GET', `/pages/${id}/poll${query}`))
}

/** `A 2, B 0`. */
export function countsIn({ options }: Poll): string {
  return options.map(({ text, votes }) => `${text} ${votes}`).join(', ')
}

/** Somebody with a browser. */
export function voter(who: Person = person()) {
  function cookie(): string {
    const sent = [...who.jar.values()].filter(({ path }) => path === '/')
    return sent.map(({ name, value }) => `${name}=${value}`).join('; ')
  }

  /** Opens the page, and finds what its panel starts with. */
  async function open({ slug }: Page): Promise<Credentials> {
    return credentialsIn(await who.open(`/p/${slug}`))
  }
  function post(path: string, body: unknown, headers: Record<string, string> = {}) {
    const json = { 'content-type': 'application/json', origin: server.url, cookie: cookie() }
    const sent = { ...json, 'sec-fetch-site': 'same-origin', ...headers }
    return send(path, { method: 'POST', headers: sent, body: JSON.stringify(body) })
  }
  async function read(page: Page, previous: string | null = null): Promise<Answer> {
    return post('/~/poll', { ...(await open(page)), known: previous })
  }
  return {
    who,
    open,
    post,
    read,
    async view(page: Page): Promise<PollView> {
      return dataOf<{ state: PollView }>(await read(page)).state
    },
    /** Opens the page and votes. */
    async vote(page: Page, option: string, more: Fields = {}): Promise<Answer> {
      return post('/~/votes', { ...(await open(page)), option, is_named: false, ...more })
    },
  }
}
export type Voter = ReturnType<typeof voter>

export function credentialsIn(answer: Answer): Credentials {
  const [, json] = /<div id="conversations" data-panel="([^"]*)"/.exec(answer.text) ?? []
  if (json === undefined) throw new Error(`No panel in: ${answer.text.slice(0, 500)}`)
  const data = JSON.parse(json.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as Credentials
  return { token: data.token, stamp: data.stamp }
}
