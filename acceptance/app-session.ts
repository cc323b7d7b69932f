/** Requests to the API at `/app/api`, with the session of a signed-in browser. */
import { type Answer, type Sent, send } from './client.ts'
import type { Person } from './gates/person.ts'
import { server } from './server.ts'

/** The header that only a script of our own pages can set. */
export const HEADER = { 'x-handbill-request': '1' }
/** What a browser sends with a request of our own pages. */
export const OURS = { ...HEADER, origin: server.url, 'sec-fetch-site': 'same-origin' }

export function sessionOf({ jar }: Person): Sent {
  const result = [...jar.values()].find(({ name }) => name.endsWith('handbill_session'))!
  return { cookie: `${result.name}=${result.value}` }
}

/** Sends a request to `/app/api` with these headers. */
export function ask(method: string, path: string, headers: Sent, body?: object): Promise<Answer> {
  const json: Sent = body === undefined ? {} : { 'content-type': 'application/json' }
  return send(`/app/api${path}`, {
    method,
    headers: { 'user-agent': 'Mozilla/5.0', ...json, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
}

/** Sends what the app of a signed-in person sends. */
export function appOf(who: Person) {
  const headers = { ...OURS, ...sessionOf(who) }
  return (method: string, path: string, body?: object) => ask(method, path, headers, body)
}
