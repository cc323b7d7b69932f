/** Parses /openapi.json and /docs for tests. */
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
      }
    }),
  )
  return { operations, errors: rest['x-errors'], text }
}

export interface Example {
  readonly request: string
  /** JSON; absent where the operation answers none. */
  readonly answer: string | undefined
}

/** The examples of each operation in /docs, by its name. */
export function examplesIn(page: string): Record<string, Example> {
  const sections = page.split('<section class="operation" id="').slice(1)
  return Object.fromEntries(
    sections.map((section) => {
      const figures = [
        ...section.matchAll(/<figcaption>(\w+)<\/figcaption>\s*<pre[^>]*><code>([^<]*)/g),
      ]
      const operation = Object.fromEntries(
        figures.map(([, title, code]) => [title, decoded(code!)]),
      )
      return [section.split('"')[0]!, { request: operation.Request!, answer: operation.Answer }]
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

function decoded(markup: string): string {
  return markup
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#96;', '`')
    .replaceAll('&amp;', '&')
}
