import type { OpenApi } from '../../src/http/rest/openapi.ts'
import { anchorOf } from './markup.ts'

/** What the reference reads of our OpenAPI document. */
export interface OpenApiDocument extends Pick<OpenApi, 'tags' | 'x-errors'> {
  info: { title: string; summary: string; description: string }
  paths: Record<string, Record<string, unknown>>
  components: {
    schemas: Record<string, unknown>
    securitySchemes: Record<string, unknown>
  }
}
export type DescribedError = OpenApi['x-errors'][number]

export interface SchemaObject {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  format?: string
  pattern?: string
  properties?: Record<string, SchemaObject>
  required?: string[]
  items?: SchemaObject
  anyOf?: SchemaObject[]
  oneOf?: SchemaObject[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

interface ParameterObject {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: SchemaObject
}

type Content = Record<string, { schema: SchemaObject }>

export interface OperationObject {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  parameters?: ParameterObject[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content?: Content }>
  security?: Record<string, string[]>[]
  servers?: { url: string }[]
  'x-error-codes'?: readonly string[]
  'x-mcp-tools'?: readonly string[]
}

export interface Endpoint {
  id: string
  group: string
  method: string
  path: string
  operation: OperationObject
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Groups the endpoints by their tag, in the document's order of tags. */
export function groupEndpoints({ tags, paths }: OpenApiDocument) {
  const endpoints = Object.entries(paths).flatMap(([path, operations]) =>
    METHODS.filter((method) => method in operations).map((method): Endpoint => {
      const operation = operations[method] as OperationObject
      return { id: operation.operationId, group: operation.tags[0]!, method, path, operation }
    }),
  )
  return tags.map(({ name, description }) => ({
    name,
    description,
    endpoints: endpoints.filter(({ group }) => group === name),
  }))
}

export type EndpointGroup = ReturnType<typeof groupEndpoints>[number]

export function successOf({ responses }: OperationObject) {
  const [status, response] = Object.entries(responses).find(([code]) => code.startsWith('2'))!
  return { status, description: response.description, content: response.content ?? {} }
}

export function bodyOf({ requestBody }: OperationObject) {
  if (requestBody === undefined) return null
  const [type, { schema }] = Object.entries(requestBody.content)[0]!
  return { type, schema }
}

/** The address below which a signed-in browser calls the operation; null where it takes a key. */
export function sessionServerOf({ security, servers }: OperationObject): string | null {
  const takesSession = security?.some((schemes) => 'session' in schemes) === true
  return takesSession ? (servers?.[0]?.url ?? null) : null
}

/** The scopes that a key needs for the operation. */
export function scopesOf({ security }: OperationObject): string[] {
  return security?.flatMap(({ oauth = [] }) => oauth) ?? []
}

export function titleOf({ operation }: Endpoint): string {
  return operation.summary.replace(/\.\s*$/, '')
}

export function namedSchemas({ components }: OpenApiDocument) {
  return Object.entries(components.schemas) as [name: string, schema: SchemaObject][]
}

/** What the document says about authentication, a text for each scheme. */
export function authenticationTexts({ components }: OpenApiDocument): string[] {
  const schemes = Object.values(components.securitySchemes) as { description: string }[]
  return schemes.map(({ description }) => description)
}

export const ERRORS_PATH = '/docs/errors'
export const OBJECTS_PATH = '/docs/api/objects'
export const MCP_PATH = '/docs/mcp'
export const schemaAnchor = (name: string) => `object-${name}`
export const errorAnchor = (code: string) => `error-${code}`
export const toolAnchor = (name: string) => `tool-${name}`
export const groupPath = (group: string) => `/docs/api/${anchorOf(group)}`
export const operationAddress = ({ id, group }: Endpoint) => `${groupPath(group)}#${id}`
export const errorAddress = (code: string) => `${ERRORS_PATH}#${errorAnchor(code)}`
