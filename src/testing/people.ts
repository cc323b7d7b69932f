import type { PageObject } from '../model/page/index.ts'
import type { Plan } from '../model/plan.ts'
import type { TestApp } from './app.ts'

export interface Answer<T> {
  status: number
  headers: Headers
  body: T
}

export interface Refused {
  error: { code: string; message: string; param?: string; [detail: string]: unknown }
}

/** What an owner does, in the words of the product. */
export interface Owner {
  email: string
  key: string
  call<T>(method: string, path: string, body?: unknown, headers?: Headers0): Promise<Answer<T>>
  /** Publishes HTML, or whatever the settings name, and expects success. */
  publish(content: string | object, settings?: object): Promise<PageObject>
  page(id: string): Promise<PageObject>
  update(id: string, change: object): Promise<PageObject>
  /** Expects a refusal, and hands back its status and error. */
  refused(method: string, path: string, body?: unknown): Promise<Answer<Refused>>
}
type Headers0 = Record<string, string>

export async function createOwner(
  app: TestApp,
  { plan, email }: { plan: Plan; email: string },
): Promise<Owner> {
  await app.accounts.add({ email, plan })
  const { key } = await app.accounts.createKey(email, 'test')

  async function call<T>(method: string, path: string, body?: unknown, headers: Headers0 = {}) {
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await app.api(path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...json, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const is_json = answer.headers.get('content-type')?.startsWith('application/json')
    const parsed = (is_json ? JSON.parse(text) : text) as T
    return { status: answer.status, headers: answer.headers, body: parsed }
  }

  async function expectOk<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await call<{ data: T }>(method, path, body)
    if (answer.status < 300) return answer.body.data
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  }

  return {
    email,
    key,
    call,
    publish(content, settings = {}) {
      const source = typeof content === 'string' ? { html: content } : content
      return expectOk('POST', '/pages', { ...source, ...settings })
    },
    page: (id) => expectOk('GET', `/pages/${id}`),
    update: (id, change) => expectOk('PATCH', `/pages/${id}`, change),
    async refused(method, path, body) {
      const answer = await call<Refused>(method, path, body)
      if (answer.status >= 400) return answer
      throw new Error(`${method} ${path} was not refused: ${answer.status}`)
    },
  }
}
