import { createHash, randomBytes } from 'node:crypto'
import { BASE_URL, type TestNode } from './node.ts'

export const CALLBACK = 'https://app.example/callback'
/** The id of an app that publishes its metadata. */
export const APP = 'https://app.example/app.json'
export const METADATA = { client_id: APP, client_name: 'An app', redirect_uris: [CALLBACK] }

export interface TokenAnswer {
  access_token: string
  refresh_token: string
  scope: string
  error?: string
}

/** An app that asks for access, with a new verifier. */
export function createOAuthApp(node: Pick<TestNode, 'fetch'>, client_id = APP) {
  const verifier = randomBytes(32).toString('base64url')
  const request: Record<string, string> = {
    client_id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'the state',
    resource: `${BASE_URL}/mcp`,
  }

  async function post(path: string, fields: Record<string, string>) {
    const body = new URLSearchParams(fields)
    const answer = await node.fetch(new Request(`${BASE_URL}${path}`, { method: 'POST', body }))
    const text = await answer.text()
    const json = (text === '' ? {} : JSON.parse(text)) as TokenAnswer
    return { status: answer.status, headers: answer.headers, ...json }
  }

  return {
    verifier,
    request,
    /** The address at which its person is asked. */
    path: (change: Record<string, string> = {}) =>
      `/oauth/authorize?${new URLSearchParams({ ...request, ...change })}`,
    post,
    /** Sends the code that an answer leads to. */
    exchange(code: string, change: Record<string, string> = {}) {
      const fields = { grant_type: 'authorization_code', code, code_verifier: verifier }
      const { redirect_uri } = request
      return post('/oauth/token', {
        ...{ ...fields, client_id, redirect_uri: redirect_uri! },
        ...change,
      })
    },
    refresh: (refresh_token: string, change: Record<string, string> = {}) =>
      post('/oauth/token', { grant_type: 'refresh_token', refresh_token, client_id, ...change }),
  }
}
