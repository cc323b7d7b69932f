import { z } from 'zod'
import { SCOPE_WORDS } from '../../model/account.ts'
import { APP_HEADER } from '../../model/app-api.ts'
import { type Contract, readsPage, scopesOf, takesSessionOnly } from '../../model/operation.ts'
import { SERVER_URL, SESSION_COOKIE } from '../../model/site.ts'
import { errorCodesOf, requestShape } from './error-codes.ts'
import { guide } from './guide.ts'
import {
  describeCodes,
  ERROR_SCHEMA,
  examplesOf,
  REFUSALS,
  refusalsOf,
} from './openapi-responses.ts'

const TAGS: Record<Contract['tag'], string> = {
  Pages: 'Create, read, change, publish and delete pages.',
  HTML: 'Read a page’s HTML, and edit it in place.',
  Versions: 'Earlier content of a page, to read, name and restore.',
  Access: 'Requests to open a page.',
  Responses: 'What viewers sent through a page’s forms.',
  Poll: 'The votes of a page’s poll.',
  Approvals: 'The sign-off of a page by the approvers that its owner names.',
  Inbox: 'What waits for you, on all pages together.',
  Feedback: 'What viewers do, in order, for programs that wait for it.',
  Webhooks: 'What viewers do, sent to an address as it happens.',
  Analytics: 'How often pages are opened, by whom and for how long.',
  Comments: 'What viewers say about a page, and the owner’s answers.',
  Uploads: 'Content that is larger than a request body may be.',
  Account: 'Your account, its plan and how much of it is used.',
  Transfer: 'Everything that an account has, as one archive that any Handbill imports.',
  Keys: 'The API keys of your account. No key can make, list or revoke keys.',
  Sessions: 'The browsers that are signed in to your account.',
  Operator: 'For those who look after this server.',
}

const KEY =
  'An API key: `sm_` and 40 characters. It is shown once, when it is made in the app or by ' +
  '`bin/handbill key create`, and acts for its whole account, unless it is limited: by scopes, ' +
  'which each operation names, to some pages, in time, or by `confirmed_only`.'

const OAUTH =
  'The access token of an app that its person allowed: see `/docs/mcp`. It does what a key with ' +
  'its scopes does.'
const OAUTH_FLOW = {
  authorizationUrl: `${SERVER_URL}/oauth/authorize`,
  tokenUrl: `${SERVER_URL}/oauth/token`,
  refreshUrl: `${SERVER_URL}/oauth/token`,
  scopes: SCOPE_WORDS,
}

const SESSION =
  'The cookie of a signed-in browser, for scripts of the app alone: each request has the header ' +
  `\`${APP_HEADER}: 1\`, and a write our \`Origin\`. Operations that only a session may call say ` +
  'so; all others take it as well, below `/app/api`.'

const ETAG = {
  description: 'The state of the page, for `If-Match`.',
  schema: { type: 'string' },
}

const TAKES_ONCE =
  'Up to 255 characters: the same key and body get the first answer again, for 24 hours.'

const DONE: Record<number, string> = { 201: 'Created.', 202: 'Accepted.' }

const SCHEMAS = '#/components/schemas/'
const BINARY = { type: 'string', format: 'binary' }

type JsonSchema = Record<string, unknown> & {
  properties?: Record<string, JsonSchema>
  required?: string[]
}

/** The document of the API, from the same schemas that validate it, with placeholders. */
export function openapi(contracts: readonly Contract[]) {
  const schemas: Record<string, unknown> = { Error: ERROR_SCHEMA }
  const errors = describeCodes(contracts)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const contract of contracts) {
    const { method } = contract.http
    const path = contract.http.path.replace('{+', '{')
    const operation = { ...operationOf(contract, schemas), ...accessOf(contract) }
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  const tags = [...new Set(contracts.map(({ tag }) => tag))]
  return {
    openapi: '3.1.0',
    info: {
      title: 'Handbill API',
      version: '1',
      summary: 'Publish HTML pages, decks, PDFs and images at links you control.',
      description: guide(),
      contact: { name: 'The operator of this server', url: SERVER_URL },
      license: { name: 'None stated', identifier: 'NONE' },
    },
    servers: [{ url: `${SERVER_URL}/api/v1` }],
    security: [{ key: [] }],
    tags: tags.map((name) => ({ name, description: TAGS[name] })),
    paths,
    components: {
      schemas,
      responses: REFUSALS,
      examples: examplesOf(errors),
      headers: { ETag: ETAG },
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: KEY },
        oauth: { type: 'oauth2', description: OAUTH, flows: { authorizationCode: OAUTH_FLOW } },
        session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: SESSION },
      },
    },
    /** Each error code with its status, meaning and cure. */
    'x-errors': errors,
  }
}
export type OpenApi = ReturnType<typeof openapi>

function operationOf(contract: Contract, schemas: Record<string, unknown>) {
  const { name, tag, summary, description, http, tools = {} } = contract
  const input = schemaOf(contract.input, 'input', schemas)
  const inPath = [...http.path.matchAll(/\{\+?(\w+)\}/g)].map(([, param]) => param!)
  const hasBody = http.method === 'POST' || http.method === 'PATCH'
  return {
    operationId: name,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    parameters: [
      ...inPath.map((param) => pathParameter(param, input)),
      ...(hasBody ? [] : queryParameters(input, inPath)),
      ...headersOf(contract),
    ],
    ...(hasBody && bodyOf(contract, input, inPath)),
    responses: { [http.status]: successOf(contract, schemas), ...refusalsOf(contract) },
    'x-error-codes': errorCodesOf(contract),
    'x-mcp-tools': Object.keys(tools),
  }
}

/** How to call an operation: by key or token with these scopes, or by session elsewhere. */
function accessOf(contract: Contract) {
  const scopes = [...scopesOf(contract)]
  if (!takesSessionOnly(contract)) {
    return scopes.length === 0 ? {} : { security: [{ key: [] }, { oauth: scopes }] }
  }
  return { servers: [{ url: `${SERVER_URL}/app/api` }], security: [{ session: [] }] }
}

function successOf(contract: Contract, schemas: Record<string, unknown>) {
  const { http, output } = contract
  if (http.file) return { description: 'The file.', content: { '*/*': { schema: BINARY } } }
  if (output === null) return { description: 'Done; no body.' }
  return {
    description: DONE[http.status] ?? 'Done.',
    ...(readsPage(contract) && { headers: { ETag: { $ref: '#/components/headers/ETag' } } }),
    content: {
      'application/json': { schema: schemaOf(output, 'output', schemas) },
      ...(http.also && { [http.also]: { schema: { type: 'string' } } }),
    },
  }
}

function pathParameter(name: string, input: JsonSchema) {
  const schema = input.properties?.[name] ?? { type: 'string' }
  const description = name === 'id' ? 'The page’s id.' : undefined
  return { name, in: 'path', required: true, schema, ...(description && { description }) }
}

function queryParameters(input: JsonSchema, inPath: string[]) {
  return Object.entries(input.properties ?? {})
    .filter(([name]) => !inPath.includes(name))
    .map(([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: false,
      schema,
      ...(description !== undefined && { description }),
    }))
}

function headersOf(contract: Contract) {
  const { takesIfMatch, takesIdempotencyKey } = requestShape(contract)
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: false,
    schema: { type: 'string' },
    description,
  })
  return [
    ...(takesIfMatch
      ? [header('If-Match', 'The page’s ETag: the write is refused when the page has changed.')]
      : []),
    ...(takesIdempotencyKey ? [header('Idempotency-Key', TAKES_ONCE)] : []),
  ]
}

function bodyOf({ http }: Contract, input: JsonSchema, inPath: string[]) {
  if (http.rawBody) {
    return {
      requestBody: { required: true, content: { 'application/octet-stream': { schema: BINARY } } },
    }
  }
  const { properties = {}, required = [], ...rest } = input
  const own = Object.entries(properties).filter(([name]) => !inPath.includes(name))
  if (own.length === 0) return {}
  const requiredMembers = required.filter((name) => !inPath.includes(name))
  const schema = {
    ...rest,
    properties: Object.fromEntries(own),
    ...(requiredMembers.length > 0 && { required: requiredMembers }),
  }
  return {
    requestBody: {
      required: requiredMembers.length > 0,
      content: {
        'application/json': { schema },
        ...(http.csvMember !== undefined && { 'text/csv': { schema: { type: 'string' } } }),
      },
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

/**
 * Removes keywords without meaning here. Later versions may add members to an answer, so it allows
 * any.
 */
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
