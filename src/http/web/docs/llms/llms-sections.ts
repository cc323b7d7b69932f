import { decodeHTMLStrict } from 'entities'
import type { Html } from '../../../../model/html.ts'
import type { OpenApiDocument } from '../../../kit/openapi-document.ts'
import { limitsOf, nestedObject, typeOf } from '../api/schema.ts'
import { curlCommand } from '../examples/curl.ts'
import { exampleRequest } from '../examples/request.ts'
import {
  type Endpoint,
  type OperationObject,
  type ParameterObject,
  resolveReference,
  type SchemaObject,
  sessionServerOf,
  titleOf,
} from '../openapi/document.ts'

/** Describes an operation in Markdown, for llms-full.txt. */
export function operationText(
  document: OpenApiDocument,
  endpoint: Endpoint,
  server: string,
): string {
  const { method, path, operation } = endpoint
  const tools = operation['x-mcp-tools'] ?? []
  return joinBlocks([
    `### ${titleOf(endpoint)}`,
    `\`${method.toUpperCase()} ${path}\`${tools.length > 0 ? `, MCP: ${inlineCode(tools)}` : ''}`,
    operation.description,
    parametersText(document, operation),
    bodyText(document, operation),
    responseText(document, operation),
    `Refused with: ${inlineCode(operation['x-error-codes'] ?? [])}.`,
    requestText(document, endpoint, server),
  ])
}

function requestText(document: OpenApiDocument, endpoint: Endpoint, server: string): string {
  if (sessionServerOf(endpoint.operation) !== null) {
    return 'Takes no API key: only the app calls it, for a signed-in account.'
  }
  return `\`\`\`sh\n${curlCommand(exampleRequest(document, endpoint, server))}\n\`\`\``
}

export function objectText(name: string, schema: SchemaObject): string {
  return joinBlocks([`### ${name}`, schema.description, membersText(schema, false)])
}

/** Joins the blocks that are there with an empty line between two. */
export function joinBlocks(blocks: (string | undefined)[]): string {
  return blocks.filter((block) => block !== undefined && block !== '').join('\n\n')
}

function parametersText(document: OpenApiDocument, { parameters = [] }: OperationObject): string {
  return parameters
    .map((parameter) => resolveReference(document, parameter))
    .map(({ name, in: location, required, schema = {}, description }: ParameterObject) =>
      memberLine({ name, schema, isRequired: required === true, description, location }),
    )
    .join('\n')
}

function bodyText(document: OpenApiDocument, { requestBody }: OperationObject): string | undefined {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (type === undefined) return undefined
  const schema = resolveReference(document, media?.schema ?? {})
  return joinBlocks([`Body, \`${type}\`:`, membersText(schema, true)])
}

function responseText(
  document: OpenApiDocument,
  { responses = {} }: OperationObject,
): string | undefined {
  const [status, given] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
  if (status === undefined || given === undefined) return undefined
  const { content = {} } = resolveReference(document, given)
  if (content['*/*'] !== undefined) return `Answers \`${status}\`: the file.`
  const schema = resolveReference(document, content['application/json']?.schema ?? {})
  const others = Object.keys(content).filter((type) => type !== 'application/json')
  const types = others.length > 0 ? `, or ${inlineCode(others)} where asked for` : ''
  const members = membersText(schema, false)
  if (members === '') return `Answers \`${status}\`, without a body.`
  return joinBlocks([`Answers \`${status}\`${types}:`, members])
}

function membersText(schema: SchemaObject, isRequest: boolean, depth = 0): string {
  return Object.entries(schema.properties ?? {})
    .map(([name, member]) => {
      const isRequired = isRequest && schema.required?.includes(name) === true
      const line = memberLine({ name, schema: member, isRequired, depth })
      const nested = depth < 3 ? membersText(nestedObject(member), isRequest, depth + 1) : ''
      return nested === '' ? line : `${line}\n${nested}`
    })
    .join('\n')
}

interface MemberLine {
  name: string
  schema: SchemaObject
  isRequired: boolean
  description?: string | undefined
  /** `path`, `query`, `header` or `cookie`, for a parameter. */
  location?: string
  depth?: number
}

function memberLine(line: MemberLine): string {
  const { name, schema, isRequired, description, location, depth = 0 } = line
  const facts = [
    toMarkdown(typeOf(schema)),
    location !== undefined && `in ${location}`,
    isRequired && 'required',
    ...limitsOf(schema).map(toMarkdown),
  ].filter((part) => part !== false)
  const text = description ?? schema.description
  return `${'  '.repeat(depth)}- \`${name}\` (${facts.join('; ')})${text ? `: ${text}` : ''}`
}

function inlineCode(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

/** Converts the HTML of schema.ts to Markdown: code gets backticks, a link becomes its text. */
function toMarkdown(markup: Html): string {
  const text = markup
    .toString()
    .replace(/<\/?code>/g, '`')
    .replace(/<[^>]*>/g, '')
  return decodeHTMLStrict(text)
}
