import type { OpenApiDocument } from '../../../kit/openapi-document.ts'
import { anchorOf } from '../markup/page.ts'

export interface SchemaObject {
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
  properties?: Record<string, SchemaObject>
  required?: string[]
  items?: SchemaObject
  anyOf?: SchemaObject[]
  oneOf?: SchemaObject[]
  allOf?: SchemaObject[]
  additionalProperties?: boolean | SchemaObject
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  minItems?: number
  maxItems?: number
}

export interface ParameterObject {
  $ref?: string
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  required?: boolean
  description?: string
  schema?: SchemaObject
  example?: unknown
}

export interface MediaTypeObject {
  schema?: SchemaObject
  example?: unknown
}

export interface ResponseObject {
  $ref?: string
  description?: string
  content?: Record<string, MediaTypeObject>
}

export interface OperationObject {
  operationId?: string
  tags?: string[]
  summary?: string
  description?: string
  parameters?: ParameterObject[]
  requestBody?: {
    description?: string
    required?: boolean
    content?: Record<string, MediaTypeObject>
  }
  responses?: Record<string, ResponseObject>
  security?: Record<string, unknown>[]
  servers?: { url: string }[]
  'x-error-codes'?: readonly string[]
  'x-mcp-tools'?: readonly string[]
}

/** An operation with its method and its path. */
export interface Endpoint {
  /** The anchor of its section. */
  id: string
  /** The name of its group. */
  group: string
  method: string
  path: string
  operation: OperationObject
}

export interface EndpointGroup {
  name: string
  description: string | undefined
  endpoints: Endpoint[]
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options']

/** Groups the endpoints by their first tag. The groups have the document's order of tags. */
export function groupEndpoints(document: OpenApiDocument): EndpointGroup[] {
  const groups = new Map<string, EndpointGroup>()
  for (const { name, description } of document.tags ?? []) {
    groups.set(name, { name, description, endpoints: [] })
  }
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS.filter((name) => item[name] !== undefined)) {
      const operation = item[method] as OperationObject
      const name = operation.tags?.[0] ?? 'Other'
      const group = groups.get(name) ?? { name, description: undefined, endpoints: [] }
      const shared = (item.parameters ?? []) as ParameterObject[]
      const parameters = [...shared, ...(operation.parameters ?? [])]
      const id = operation.operationId ?? anchorOf(`${method} ${path}`)
      group.endpoints.push({
        id,
        group: name,
        method,
        path,
        operation: { ...operation, parameters },
      })
      groups.set(name, group)
    }
  }
  return [...groups.values()].filter(({ endpoints }) => endpoints.length > 0)
}

/** Follows a `#/…` reference. An object without `$ref` is returned as it is. */
export function resolveReference<T extends { $ref?: string }>(
  document: OpenApiDocument,
  object: T,
): T {
  if (object.$ref === undefined) return object
  let found: unknown = document
  for (const part of object.$ref.replace(/^#\//, '').split('/')) {
    const name = part.replace(/~1/g, '/').replace(/~0/g, '~')
    found = (found as Record<string, unknown> | undefined)?.[name]
  }
  return (found ?? {}) as T
}

/** The address that a signed-in browser calls the operation below; null where it takes a key. */
export function sessionServerOf({ security, servers }: OperationObject): string | null {
  const takesSession = security?.some((schemes) => 'session' in schemes) === true
  return takesSession ? (servers?.[0]?.url ?? null) : null
}

/** The endpoint's summary without its final full stop. */
export function titleOf({ operation, path }: Endpoint): string {
  return (operation.summary ?? operation.operationId ?? path).replace(/\.\s*$/, '')
}

/** The named schemas of the document. */
export function namedSchemas(document: OpenApiDocument): [name: string, schema: SchemaObject][] {
  return Object.entries(document.components?.schemas ?? {}) as [string, SchemaObject][]
}

/** What the document says about authentication, a text for each scheme. */
export function authenticationTexts(document: OpenApiDocument): (string | undefined)[] {
  const schemes = Object.values(document.components?.securitySchemes ?? {})
  return schemes.map((scheme) => (scheme as { description?: string }).description)
}
