import { z } from 'zod'
import type { Contract } from '../operation.ts'
import { isConditional } from './arguments.ts'

/** A tool in the result of `tools/list`. */
export interface ListedTool {
  name: string
  title: string
  description: string
  inputSchema: ObjectSchema
  outputSchema?: ObjectSchema
  annotations: {
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: boolean
  }
}

export interface OfferedTool {
  listed: ListedTool
  /** The operation of the tool. Its input has the arguments except `page_id` and `if_match`. */
  contract: Contract
}

type JsonSchema = Record<string, unknown>
type ObjectSchema = JsonSchema & { type: 'object' }

const PAGE_ID = {
  type: 'string',
  description: 'The page: its id, its slug or its public URL.',
}
const IF_MATCH = {
  type: 'string',
  description: 'The etag of an earlier result. The call is refused if the page has changed since.',
}
const LARGE =
  'Models cut long arguments short: send anything over about 20 KB by URL or as an upload, and ' +
  'compare size_bytes and sha256 of `received` with what you meant to send.'

/** The tools that these contracts declare, by name. */
export function offerTools(contracts: Iterable<Contract>): Map<string, OfferedTool> {
  const offered = new Map<string, OfferedTool>()
  for (const contract of contracts) {
    for (const [name, tool] of Object.entries(contract.tools ?? {})) {
      const { description, omit } =
        typeof tool === 'string' ? { description: tool, omit: [] } : tool
      const input = without(contract.input, omit)
      const own = { ...contract, input }
      offered.set(name, { contract: own, listed: describe(name, description, own) })
    }
  }
  return offered
}

function without(input: z.ZodObject, omit: readonly string[]): z.ZodObject {
  if (omit.length === 0) return input
  const members = Object.entries(input.shape).filter(([name]) => !omit.includes(name))
  return z.strictObject(Object.fromEntries(members))
}

function describe(name: string, description: string, contract: Contract): ListedTool {
  const { audience, http, input, output } = contract
  const takesContent = 'html_upload' in input.shape || 'file_upload' in input.shape
  // With `format` the caller chooses between JSON and a file.
  const members = {
    ...(takesContent && { received }),
    ...('format' in input.shape && { file }),
    ...(audience === 'owner' && http.method === 'GET' && { etag }),
  }
  return {
    name,
    title: titleOf(name),
    description: takesContent ? `${description} ${LARGE}` : description,
    inputSchema: inputSchema(contract),
    ...(output !== null && { outputSchema: outputSchema(output, members) }),
    annotations: annotationsOf(contract),
  }
}

/** `get_page_html` → `Get page HTML`. */
function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/\bhtml\b/, 'HTML')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Derives the hints from the HTTP binding. */
function annotationsOf({ http }: Contract): ListedTool['annotations'] {
  const isRead = http.method === 'GET'
  const isAddition = http.status === 201
  return {
    readOnlyHint: isRead,
    destructiveHint: !isRead && !isAddition,
    idempotentHint: !isAddition,
    openWorldHint: false,
  }
}

function inputSchema(contract: Contract): ObjectSchema {
  const { audience, input } = contract
  const schema = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    override: dropSafeBounds,
  })
  const { $schema: _, properties = {}, required = [], ...rest } = schema
  if (audience !== 'owner') return { ...rest, type: 'object', properties, required }
  return {
    ...rest,
    type: 'object',
    properties: {
      page_id: PAGE_ID,
      ...properties,
      ...(isConditional(contract) && { if_match: IF_MATCH }),
    },
    required: ['page_id', ...required],
  }
}

/** The schema of a result or an error, since clients validate errors against it too. */
function outputSchema(output: z.ZodType, members: Record<string, JsonSchema>): ObjectSchema {
  const schema = z.toJSONSchema(output, {
    io: 'output',
    unrepresentable: 'any',
    override: allowMore,
  })
  const { $schema: _, properties, required = [], ...rest } = schema
  const alternatives = 'file' in members ? ['file', 'error'] : ['error']
  return {
    ...rest,
    type: 'object',
    properties: { ...properties, ...members, error },
    anyOf: [required, ...alternatives.map((name) => [name])].map((required) => ({ required })),
  }
}

interface Overridden {
  jsonSchema: JsonSchema
}

/** Removes the bounds that zod adds to every integer, which are useless to a model. */
function dropSafeBounds({ jsonSchema }: Overridden): void {
  for (const bound of ['minimum', 'maximum']) {
    if (Math.abs(Number(jsonSchema[bound])) >= Number.MAX_SAFE_INTEGER) delete jsonSchema[bound]
  }
}

/** Allows additional members, which later versions may add. */
function allowMore(overridden: Overridden): void {
  dropSafeBounds(overridden)
  delete overridden.jsonSchema.additionalProperties
}

const sizeBytes = { type: 'integer' }
const sha256 = { type: 'string', description: 'Hexadecimal.' }

const received = {
  type: 'object',
  description: 'The content in the arguments of this call; for a deck, file by file.',
  properties: {
    size_bytes: sizeBytes,
    sha256,
    files: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, size_bytes: sizeBytes, sha256 },
        required: ['path', 'size_bytes', 'sha256'],
      },
    },
  },
  required: ['size_bytes'],
}

const etag = {
  type: 'string',
  description: 'Identifies this state of the page: send it as if_match with a write.',
}

const file = {
  type: 'object',
  description: 'A file, whose text is in `content`.',
  properties: { filename: { type: 'string' }, mime: { type: 'string' }, size_bytes: sizeBytes },
  required: ['filename', 'mime', 'size_bytes'],
}

const error = {
  type: 'object',
  description: 'Why nothing was done, and what to do instead.',
  properties: { code: { type: 'string' }, message: { type: 'string' } },
  required: ['code', 'message'],
}
