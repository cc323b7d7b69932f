import { APP_HEADER } from '../model/app-api.ts'
import { BASE_URL, type TestNode } from './node.ts'
import type { Answer } from './people.ts'

/** Calls operations at `/app/api` as the browser of a signed-in account. */
export async function sessionOf(
  node: Pick<TestNode, 'accounts' | 'sessions' | 'fetch' | 'platform'>,
  email: string,
  userAgent = '',
) {
  const account = (await node.accounts.findByEmail(email))!
  const { database } = node.platform
  const browser = { user_agent: userAgent, token: null }
  const token = await database.write((tx) => node.sessions.create(tx, account.id, browser))
  const own = { cookie: `handbill_session=${token}`, origin: BASE_URL, [APP_HEADER]: '1' }

  function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...own, ...(init.headers as Record<string, string>) }
    return node.fetch(new Request(`${BASE_URL}/app/api${path}`, { ...init, headers }))
  }
  async function call<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const init = {
      method,
      headers: json,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    const answer = await send(path, init)
    const text = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      body: (text === '' ? undefined : JSON.parse(text)) as T,
    }
  }

  return {
    account,
    /** The `Cookie` header of this browser. */
    cookie: own.cookie,
    send,
    call,
    /** Sends a request that must succeed. @returns its `data` */
    async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
      const answer = await call<{ data: T }>(method, path, body)
      if (answer.status < 300) return answer.body?.data
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    },
    /** Sends a request that must be refused. @returns its status and code */
    async refused(method: string, path: string, body?: unknown): Promise<[number, string]> {
      const answer = await call<{ error: { code: string } }>(method, path, body)
      if (answer.status < 400) throw new Error(`${method} ${path} was not refused`)
      return [answer.status, answer.body.error.code]
    },
  }
}
export type TestSession = Awaited<ReturnType<typeof sessionOf>>
