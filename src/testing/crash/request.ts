export interface Server {
  url: string
  /** The API key of its first account. */
  key: string
}

/** No answer came: the server was killed before or during the request. */
export class NoAnswer extends Error {}

/**
 * @param endpoint method and path, such as `POST /pages`
 * @throws NoAnswer
 */
export async function callApi(
  { url, key }: Server,
  endpoint: string,
  options: { body?: object; headers?: Record<string, string>; raw?: string } = {},
) {
  const [method = '', path = ''] = endpoint.split(' ')
  const { body, headers = {}, raw } = options
  const answer = await fetchText(`${url}/api/v1${path}`, {
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

/** @throws NoAnswer */
export async function fetchText(url: string, init: RequestInit) {
  try {
    const answer = await fetch(url, { ...init, redirect: 'manual' })
    return { status: answer.status, text: await answer.text() }
  } catch (cause) {
    throw new NoAnswer(url, { cause })
  }
}
