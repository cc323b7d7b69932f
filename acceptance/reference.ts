/** Parses /openapi.json and the pages of /docs for tests. */
import { send } from './client.ts'

export interface Operation {
  readonly operationId: string
  readonly method: string
  readonly path: string
  /** The status of a success. */
  readonly success: number
  readonly statuses: string[]
  readonly codes: string[]
  readonly tools: string[]
  /** Whether it takes a session, and no API key. */
  readonly isSessionOnly: boolean
}

export interface ErrorTold {
  readonly code: string
  readonly status: number
  readonly meaning: string
  readonly cure: string
  readonly where: 'everywhere' | 'operations' | 'forms'
}

interface OperationObject {
  readonly operationId: string
  readonly responses: Record<string, unknown>
  readonly security?: Record<string, unknown>[]
  readonly 'x-error-codes': string[]
  readonly 'x-mcp-tools': string[]
}

export async function document() {
  const { json, text } = await send('/openapi.json')
  const { paths, ...rest } = json as {
    paths: Record<string, Record<string, OperationObject>>
    'x-errors': ErrorTold[]
  }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const statuses = Object.keys(operation.responses)
      return {
        operationId: operation.operationId,
        method,
        path,
        success: Number(statuses.find((status) => status.startsWith('2'))),
        statuses,
        codes: operation['x-error-codes'],
        tools: operation['x-mcp-tools'],
        isSessionOnly: operation.security?.some((schemes) => 'session' in schemes) === true,
      }
    }),
  )
  return { operations, errors: rest['x-errors'], text }
}

/** All pages of the documentation by their path: those that its navigation names. */
export async function docsPages(): Promise<Map<string, string>> {
  const { text } = await send('/docs')
  const [, navigation = ''] = /<nav class="side"[^>]*>([\s\S]*?)<\/nav>/.exec(text) ?? []
  const paths = [...navigation.matchAll(/href="([^"#]+)"/g)].map(([, path]) => path!)
  const pages = await Promise.all(paths.map(async (path) => [path, await send(path)] as const))
  return new Map(pages.map(([path, answer]) => [path, answer.text]))
}

export const LANGUAGES = ['curl', 'javascript', 'python'] as const

export interface Example {
  /** The code of the request in each language. */
  readonly request: Record<(typeof LANGUAGES)[number], string>
  /** JSON; absent where the operation answers none. */
  readonly answer: string | undefined
}

/** The examples of each operation in the reference, by its name. */
export async function examples(): Promise<Record<string, Example>> {
  const pages = [...(await docsPages()).values()]
  return Object.fromEntries(pages.flatMap((page) => Object.entries(examplesIn(page))))
}

function examplesIn(page: string): Record<string, Example> {
  const sections = page.split('<section class="operation" id="').slice(1)
  return Object.fromEntries(
    sections.map((section) => {
      const example = section.slice(0, section.indexOf('<div class="details">'))
      const codes = example.matchAll(/<pre(?: data-language="(\w+)")?[^>]*><code>(.*?)<\/code>/gs)
      const byLanguage = Object.fromEntries(
        [...codes].map(([, language = 'answer', code]) => [language, textOf(code!)]),
      )
      const { answer, ...request } = byLanguage
      return [section.split('"')[0]!, { request: request as Example['request'], answer }]
    }),
  )
}

/** The paths of all properties, such as `data.id`; of a list, those of its first item. */
export function keysOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.length > 0 ? keysOf(value[0], path) : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const here = path === '' ? name : `${path}.${name}`
    return [here, ...keysOf(member, here)]
  })
}

/** The text of code, without the marks of its syntax. */
export function textOf(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#96;', '`')
    .replaceAll('&amp;', '&')
}
