import type { OpenApiDocument } from '../../../kit/openapi-document.ts'
import {
  type Endpoint,
  type OperationObject,
  type ParameterObject,
  resolveReference,
  type SchemaObject,
} from '../openapi/document.ts'
import { schemaExample } from './schema-example.ts'

/** An example of a request, before it is written in a language. */
export interface ExampleRequest {
  method: string
  /** The reader replaces the words in capitals. */
  url: string
  needsKey: boolean
  body: { type: string; json: unknown } | { type: string; file: string } | null
  answersJson: boolean
}

export function exampleRequest(
  document: OpenApiDocument,
  endpoint: Endpoint,
  server: string,
): ExampleRequest {
  const { method, path, operation } = endpoint
  const parameters = (operation.parameters ?? []).map((one) => resolveReference(document, one))
  return {
    method: method.toUpperCase(),
    url: server + pathExample(path, parameters),
    needsKey: !Array.isArray(operation.security) || operation.security.length > 0,
    body: exampleBody(document, endpoint),
    answersJson: answersJson(document, operation),
  }
}

function answersJson(document: OpenApiDocument, { responses = {} }: OperationObject): boolean {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const { content = {} } = success === undefined ? {} : resolveReference(document, success)
  return content['application/json'] !== undefined
}

function exampleBody(document: OpenApiDocument, { operation }: Endpoint): ExampleRequest['body'] {
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  if (type === undefined) return null
  if (type !== 'application/json') return { type, file: 'FILE' }
  return { type, json: media?.example ?? schemaExample(document, media?.schema ?? {}) }
}

/** Fills in the path parameters and adds the required query parameters. */
function pathExample(path: string, parameters: ParameterObject[]): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const schema = parameters.find((one) => one.name === name)?.schema
    return isNumber(schema) ? '1' : name === 'path' ? 'index.html' : name.toUpperCase()
  })
  const query = parameters
    .filter((one) => one.in === 'query' && one.required === true)
    .map((one) => `${one.name}=${one.example ?? one.name.toUpperCase()}`)
  return query.length > 0 ? `${filled}?${query.join('&')}` : filled
}

function isNumber(schema: SchemaObject | undefined): boolean {
  return schema?.type === 'integer' || schema?.type === 'number'
}
