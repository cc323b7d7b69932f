import { createLog, type Log, type LogFormat } from '../platform/log.ts'
import type { TestApp } from './app.ts'
import { BASE_URL } from './node.ts'

/** A request and what came back, as text. */
interface Exchange {
  /** The method, and the route that the log names. */
  route: string
  sent: string
  answer: string
}

const MARKED = marker()
const MARKED_UNLOGGED = marker()
/** A text that stands nowhere else, in letters of any alphabet. */
function marker(): string {
  return `mk${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`
}

/**
 * Watches where secrets go. Requests through its `fetch` and `api` are recorded with their answers;
 * everything that the app has logged is searched as both formats write it.
 */
export function watchSecrets(app: TestApp) {
  const { lines } = app.log
  const exchanges: Exchange[] = []
  /** In no line of the log. */
  const unlogged = new Set([MARKED, MARKED_UNLOGGED])
  /** Nor in an answer to who sent it. */
  const secrets = new Set([MARKED])

  async function fetch(request: Request): Promise<Response> {
    const body = request.method === 'GET' || request.method === 'HEAD' ? null : request.clone()
    const answer = await app.fetch(request)
    const line = lines.findLast(({ msg }) => msg === 'request')
    exchanges.push({
      route: `${request.method} ${(line!.fields as { route: string }).route}`,
      sent: [request.url, headersOf(request), await body?.text()].join('\n'),
      answer: [answer.status, headersOf(answer), await answer.clone().text()].join('\n'),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, value = ''] = /=([^;]*)/.exec(line) ?? []
      if (value !== '') declare(value)
    }
    return answer
  }

  function declare(text: string): string {
    if (text.length < 4) throw new Error(`${text} is too short to be searched for`)
    unlogged.add(text)
    secrets.add(text)
    return text
  }

  return {
    fetch,
    api: (path: string, init?: RequestInit) =>
      fetch(new Request(`${BASE_URL}/api/v1${path}`, init)),
    /** Declares a secret, besides those in cookies. @returns it */
    secret: declare,
    /** A new secret that opens nothing. */
    marker: () => MARKED + marker(),
    /** The same for a text that answers may have. */
    unloggedMarker: () => MARKED_UNLOGGED + marker(),
    /** Declares what a log must not have, and answers may: a slug, for example. @returns it */
    unlogged(text: string): string {
      unlogged.add(text)
      return text
    },
    /** The lines of the log with a secret in them. */
    loggedSecrets(): string[] {
      const written = [...writtenBy(lines, 'json'), ...writtenBy(lines, 'pretty')]
      return written.filter((line) => [...unlogged].some((text) => line.includes(text)))
    },
    /** The routes of requests that came back with a secret that they had sent. */
    echoes(): string[] {
      const echoed = exchanges.filter(({ sent, answer }) =>
        [...secrets].some((text) => holds(sent, text) && holds(answer, text)),
      )
      return [...new Set(echoed.map(({ route }) => route))].sort()
    },
    foundIn: (text: string): string[] => [...unlogged].filter((each) => text.includes(each)),
    /** The statuses of the answers, to see that requests got as far as they should. */
    statuses: () => exchanges.map(({ route, answer }) => `${route} ${answer.slice(0, 3)}`),
  }
}
export type SecretWatch = ReturnType<typeof watchSecrets>

function holds(text: string, secret: string): boolean {
  return text.includes(secret) || text.includes(encodeURIComponent(secret))
}

/** Without cookies that are set: they are new, or set again for longer. */
function headersOf({ headers }: Request | Response): string {
  return [...headers].filter(([name]) => name !== 'set-cookie').join('\n')
}

/** What a log at the lowest level writes. */
function writtenBy(lines: TestApp['log']['lines'], format: LogFormat): string[] {
  const written: string[] = []
  const log: Log = createLog({ level: 'debug', format }, (line) => written.push(line))
  for (const { level, msg, fields = {} } of lines) log[level as 'info'](msg, { ...fields })
  if (written.length !== lines.length) throw new Error('A line was not written')
  return written
}
