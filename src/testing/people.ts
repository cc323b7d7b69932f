import type { PageObject } from '../model/page/page-object.ts'
import type { Plan } from '../model/plan.ts'
import type { TestNode } from './node.ts'

export interface Answer<T> {
  status: number
  headers: Headers
  body: T
}

export interface Refused {
  error: { code: string; message: string; param?: string; [detail: string]: unknown }
}

/** An account with an API key, and its requests to the API. */
export interface Owner {
  email: string
  key: string
  call<T>(method: string, path: string, body?: unknown, headers?: Sent): Promise<Answer<T>>
  /** Sends a request that must succeed. @returns its `data` */
  ask<T = PageObject>(method: string, path: string, body?: unknown): Promise<T>
  /** Publishes HTML or other content. */
  publish(content: string | object, settings?: object): Promise<PageObject>
  page(id: string): Promise<PageObject>
  update(id: string, change: object): Promise<PageObject>
  /** The whole HTML of a single page's draft. */
  html(id: string): Promise<string>
  edit(id: string, find: string, replace: string, more?: object): Promise<Edited>
  versions(id: string): Promise<Version[]>
  upload(bytes: Uint8Array | string): Promise<{ id: string; sha256: string; size_bytes: number }>
  /** Sends a request that must be refused. @returns its status and error */
  refused(method: string, path: string, body?: unknown): Promise<Answer<Refused>>
}
type Sent = Record<string, string>

export interface Edited {
  data: PageObject
  edits: { previous_version: number; version: number }
}
export interface Version {
  version_no: number
  source: 'publish' | 'edit' | 'restore'
  label: string | null
  size_bytes: number
  created_at: string
}

export async function createOwner(
  node: Pick<TestNode, 'accounts' | 'api' | 'log'>,
  { plan, email }: { plan: Plan; email: string },
): Promise<Owner> {
  await node.accounts.add({ email, plan })
  const { key } = await node.accounts.createKey(email, 'test')
  return ownerWith(node, key, email)
}

/** The account of an API key, at one node. */
export function ownerWith(node: Pick<TestNode, 'api' | 'log'>, key: string, email: string): Owner {
  const authorization = `Bearer ${key}`

  async function call<T>(method: string, path: string, body?: unknown, headers: Sent = {}) {
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await node.api(path, {
      method,
      headers: { authorization, ...json, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.startsWith('application/json')
    const parsed = (isJson ? JSON.parse(text) : text) as T
    return { status: answer.status, headers: answer.headers, body: parsed }
  }

  async function whole<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await call<T>(method, path, body)
    if (answer.status < 300) return answer.body
    const failure = `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`
    throw new Error(answer.status === 500 ? `${failure}: ${loggedError(node)}` : failure)
  }
  async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    return (await whole<{ data: T }>(method, path, body)).data
  }

  return {
    email,
    key,
    call,
    ask,
    publish(content, settings = {}) {
      const source = typeof content === 'string' ? { html: content } : content
      return ask('POST', '/pages', { ...source, ...settings })
    },
    page: (id) => ask('GET', `/pages/${id}`),
    update: (id, change) => ask('PATCH', `/pages/${id}`, change),
    html: async (id) => (await ask<{ html: string }>('GET', `/pages/${id}/html?full=true`)).html,
    edit: (id, find, replace, more = {}) =>
      whole('PATCH', `/pages/${id}/html`, { edits: [{ find, replace }], ...more }),
    versions: (id) => ask('GET', `/pages/${id}/versions`),
    async upload(bytes) {
      const headers = { authorization, 'content-length': String(Buffer.byteLength(bytes)) }
      const init = { method: 'POST', headers, body: bytes as BodyInit }
      const answer = await node.api('/uploads', init)
      if (answer.status !== 201) throw new Error(`upload: ${answer.status} ${await answer.text()}`)
      return ((await answer.json()) as { data: Awaited<ReturnType<Owner['upload']>> }).data
    },
    async refused(method, path, body) {
      const answer = await call<Refused>(method, path, body)
      if (answer.status >= 400) return answer
      throw new Error(`${method} ${path} was not refused: ${answer.status}`)
    },
  }
}

/** The stack of the last logged error: an answer 500 does not show it. */
function loggedError({ log }: Pick<TestNode, 'log'>): string {
  const line = log.lines.findLast(({ level }) => level === 'error')
  const { err } = (line?.fields ?? {}) as { err?: Error }
  return err?.stack ?? 'nothing was logged'
}
