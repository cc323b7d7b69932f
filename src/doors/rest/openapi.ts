import { z } from 'zod'
import type { Contract, Operation } from '../../model/operation.ts'

export interface OpenApi {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  security: Record<string, string[]>[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, unknown>>
  components: {
    schemas: Record<string, unknown>
    responses: Record<string, unknown>
    securitySchemes: Record<string, unknown>
  }
}

const TAGS: Record<Contract['tag'], string> = {
  Pages: 'Create, read, change, publish and delete pages.',
  HTML: 'Read a page’s HTML, and edit it in place.',
  Versions: 'What a page held before, to read, name and restore.',
  Access: 'Who asked to be let in.',
  Responses: 'What viewers sent.',
  Uploads: 'Content past the limit of a request body.',
}

const DESCRIPTION = `Publish HTML pages, decks, PDFs and images at links you control.

Send your key with every request: \`Authorization: Bearer sm_…\`. Bodies are JSON of at most 4 MB;
larger content goes through \`POST /uploads\`. Answers wrap their result as \`{"data": …}\`.
Refusals are \`{"error": {"code", "message", …}}\`: the code is stable, the message says what to do.
A page's \`ETag\`, sent back as \`If-Match\` with a write, makes sure that nothing was written in
between. \`Idempotency-Key\` on a create makes it safe to retry.`

const SCHEMAS = '#/components/schemas/'

type JsonSchema = Record<string, unknown> & {
  properties?: Record<string, JsonSchema>
  required?: string[]
}

/** The document of the API, from the same schemas that validate it. */
export function openapi(operations: Operation[], base_url: string): OpenApi {
  const schemas: Record<string, unknown> = { Error: ERROR }
  const paths: OpenApi['paths'] = {}
  for (const { contract } of operations) {
    const { path, method } = contract.http
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(contract, schemas) }
  }
  const used = new Set(operations.map(({ contract }) => contract.tag))
  return {
    openapi: '3.1.0',
    info: { title: 'Handbill API', version: '1', description: DESCRIPTION },
    servers: [{ url: `${base_url}/api/v1` }],
    security: [{ key: [] }],
    tags: [...used].map((name) => ({ name, description: TAGS[name] })),
    paths,
    components: {
      schemas,
      responses: { Refused: REFUSED, TooLarge: TOO_LARGE },
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key: sm_ and 40 characters.' },
      },
    },
  }
}

function operationOf(contract: Contract, schemas: Record<string, unknown>) {
  const { name, tag, summary, description, http, output, errors } = contract
  const input = schemaOf(contract.input, 'input', schemas)
  const in_path = [...http.path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param!)
  const has_body = http.method === 'POST' || http.method === 'PATCH'
  return {
    operationId: name,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    parameters: [
      ...in_path.map((param) => pathParameter(param, input)),
      ...(has_body ? [] : queryParameters(input, in_path)),
      ...headersOf(contract),
    ],
    ...(has_body && bodyOf(contract, input, in_path)),
    responses: {
      [http.status]: {
        description: http.status === 204 ? 'Done; no body.' : 'Done.',
        ...(output !== null && {
          content: { 'application/json': { schema: schemaOf(output, 'output', schemas) } },
        }),
      },
      ...(has_body && !http.raw_body && { 413: { $ref: '#/components/responses/TooLarge' } }),
      default: { $ref: '#/components/responses/Refused' },
    },
    'x-error-codes': errors,
  }
}

function pathParameter(name: string, input: JsonSchema) {
  const schema = input.properties?.[name] ?? { type: 'string' }
  const description = name === 'id' ? 'The page’s id.' : undefined
  return { name, in: 'path', required: true, schema, ...(description && { description }) }
}

function queryParameters(input: JsonSchema, in_path: string[]) {
  return Object.entries(input.properties ?? {})
    .filter(([name]) => !in_path.includes(name))
    .map(([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: false,
      schema,
      ...(description !== undefined && { description }),
    }))
}

function headersOf({ audience, http, name }: Contract) {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: false,
    schema: { type: 'string' },
    description,
  })
  return [
    ...(audience === 'owner' && http.method !== 'GET'
      ? [header('If-Match', 'The page’s ETag: the write is refused when the page has changed.')]
      : []),
    ...(name === 'createPage'
      ? [header('Idempotency-Key', 'A retry with the same key and body gets the first answer.')]
      : []),
  ]
}

function bodyOf({ http }: Contract, input: JsonSchema, in_path: string[]) {
  if (http.raw_body) {
    const schema = { type: 'string', format: 'binary' }
    return {
      requestBody: { required: true, content: { 'application/octet-stream': { schema } } },
    }
  }
  const { properties = {}, required = [], ...rest } = input
  const own = Object.entries(properties).filter(([name]) => !in_path.includes(name))
  if (own.length === 0) return {}
  const needed = required.filter((name) => !in_path.includes(name))
  const schema = {
    ...rest,
    properties: Object.fromEntries(own),
    ...(needed.length > 0 && { required: needed }),
  }
  return {
    requestBody: {
      required: needed.length > 0,
      content: { 'application/json': { schema } },
    },
  }
}

/** Named schemas move to the components, where every operation refers to them. */
function schemaOf(
  schema: z.ZodType,
  io: 'input' | 'output',
  schemas: Record<string, unknown>,
): JsonSchema {
  const { $defs = {}, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  for (const [name, definition] of Object.entries($defs)) schemas[name] = tidied(definition, io)
  return tidied(json, io) as JsonSchema
}

/** Without what says nothing here, and open where later versions may add members to an answer. */
function tidied(json: unknown, io: 'input' | 'output'): unknown {
  if (Array.isArray(json)) return json.map((item) => tidied(item, io))
  if (typeof json !== 'object' || json === null) return json
  const members = Object.entries(json).filter(([name, value]) => !isNoise(name, value, io))
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      name === '$ref' ? String(value).replace('#/$defs/', SCHEMAS) : tidied(value, io),
    ]),
  )
}

function isNoise(name: string, value: unknown, io: 'input' | 'output'): boolean {
  if (name === '$schema' || (name === 'id' && typeof value === 'string')) return true
  if (name === 'minimum' || name === 'maximum') return Math.abs(Number(value)) >= 2 ** 53 - 1
  return name === 'additionalProperties' && io === 'output' && value === false
}

const ERROR = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', description: 'Stable, for programs.' },
        message: { type: 'string', description: 'One sentence that says what to do.' },
        param: { type: 'string', description: 'The parameter to change, where it is one.' },
      },
      additionalProperties: true,
    },
  },
}

const REFUSED = {
  description: 'Refused; nothing was changed. The code says why, the message what to do.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

const TOO_LARGE = {
  description: 'The body is over 4 MB (plain text), or the content over its plan’s limit (JSON).',
  content: {
    'text/plain': { schema: { type: 'string', const: 'Request Entity Too Large' } },
    'application/json': { schema: { $ref: '#/components/schemas/Error' } },
  },
}
