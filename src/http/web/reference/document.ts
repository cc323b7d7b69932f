/** Of an OpenAPI 3.1 document, what the reference reads. Any valid one is one of these. */
export interface OpenApiDocument {
  info: { title: string; version?: string; summary?: string; description?: string }
  servers?: { url: string }[]
  tags?: { name: string; description?: string }[]
  paths: Record<string, Record<string, unknown>>
  components?: {
    schemas?: Record<string, unknown>
    responses?: Record<string, unknown>
    securitySchemes?: Record<string, unknown>
  }
  'x-errors'?: DescribedError[]
}

export interface DescribedError {
  code: string
  status: number
  meaning: string
  cure: string
  /** Whose answer it is: any request's, some operations', or that to a page's own form. */
  where: 'everywhere' | 'operations' | 'forms'
}

export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  example?: unknown
  format?: string
  pattern?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: boolean | Schema
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  minItems?: number
  maxItems?: number
}

export interface Parameter {
  $ref?: string
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  required?: boolean
  description?: string
  schema?: Schema
  example?: unknown
}

export interface Media {
  schema?: Schema
  example?: unknown
}

export interface Answer {
  $ref?: string
  description?: string
  content?: Record<string, Media>
}

export interface Operation {
  operationId?: string
  tags?: string[]
  summary?: string
  description?: string
  parameters?: Parameter[]
  requestBody?: { description?: string; required?: boolean; content?: Record<string, Media> }
  responses?: Record<string, Answer>
  security?: unknown[]
  'x-error-codes'?: readonly string[]
  'x-mcp-tools'?: readonly string[]
}

export interface Placed {
  id: string
  method: string
  path: string
  operation: Operation
}

export interface Group {
  name: string
  description: string | undefined
  operations: Placed[]
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options']

/** Operations under their first tag, tags in the order the document gives them. */
export function groupsOf(document: OpenApiDocument): Group[] {
  const groups = new Map<string, Group>()
  for (const { name, description } of document.tags ?? []) {
    groups.set(name, { name, description, operations: [] })
  }
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS.filter((name) => item[name] !== undefined)) {
      const operation = item[method] as Operation
      const name = operation.tags?.[0] ?? 'Other'
      const group = groups.get(name) ?? { name, description: undefined, operations: [] }
      const shared = (item.parameters ?? []) as Parameter[]
      const parameters = [...shared, ...(operation.parameters ?? [])]
      const id = operation.operationId ?? anchorOf(`${method} ${path}`)
      group.operations.push({ id, method, path, operation: { ...operation, parameters } })
      groups.set(name, group)
    }
  }
  return [...groups.values()].filter(({ operations }) => operations.length > 0)
}

/** What a `#/…` reference of the document names, or the thing itself where it is none. */
export function resolve<T extends { $ref?: string }>(document: OpenApiDocument, thing: T): T {
  if (thing.$ref === undefined) return thing
  let found: unknown = document
  for (const part of thing.$ref.replace(/^#\//, '').split('/')) {
    const name = part.replace(/~1/g, '/').replace(/~0/g, '~')
    found = (found as Record<string, unknown> | undefined)?.[name]
  }
  return (found ?? {}) as T
}

export function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
