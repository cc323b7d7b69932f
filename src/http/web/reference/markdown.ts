import type { Html } from '../../kit/html.ts'
import type { OpenApiDocument, Operation, Parameter, Placed, Schema } from './document.ts'
import { resolve } from './document.ts'
import { curlOf } from './example.ts'
import { titleOf } from './operation.ts'
import { innerOf, limitsOf, typeOf } from './schema.ts'

/** An operation as a language model reads it. */
export function operationText(document: OpenApiDocument, placed: Placed, server: string): string {
  const { method, path, operation } = placed
  const tools = operation['x-mcp-tools'] ?? []
  return joined([
    `### ${titleOf(placed)}`,
    `\`${method.toUpperCase()} ${path}\`${tools.length > 0 ? `, MCP: ${coded(tools)}` : ''}`,
    operation.description,
    parametersText(document, operation),
    bodyText(document, operation),
    answersText(document, operation),
    `Refused with: ${coded(operation['x-error-codes'] ?? [])}.`,
    `\`\`\`sh\n${curlOf(document, placed, server)}\n\`\`\``,
  ])
}

export function objectText(name: string, schema: Schema): string {
  return joined([`### ${name}`, schema.description, membersText(schema, false)])
}

export function joined(blocks: (string | undefined)[]): string {
  return blocks.filter((block) => block !== undefined && block !== '').join('\n\n')
}

function parametersText(document: OpenApiDocument, { parameters = [] }: Operation): string {
  return parameters
    .map((parameter) => resolve(document, parameter))
    .map(({ name, in: place, required, schema = {}, description }: Parameter) =>
      memberLine({ name, schema, isRequired: required === true, description, place }),
    )
    .join('\n')
}

function bodyText(document: OpenApiDocument, { requestBody }: Operation): string | undefined {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (type === undefined) return undefined
  const schema = resolve(document, media?.schema ?? {})
  return joined([`Body, \`${type}\`:`, membersText(schema, true)])
}

function answersText(document: OpenApiDocument, { responses = {} }: Operation): string | undefined {
  const [status, given] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
  if (status === undefined || given === undefined) return undefined
  const { content = {} } = resolve(document, given)
  const schema = resolve(document, content['application/json']?.schema ?? {})
  const others = Object.keys(content).filter((type) => type !== 'application/json')
  const types = others.length > 0 ? `, or ${coded(others)} where asked for` : ''
  const members = membersText(schema, false)
  if (members === '') return `Answers \`${status}\`, without a body.`
  return joined([`Answers \`${status}\`${types}:`, members])
}

function membersText(schema: Schema, isSent: boolean, depth = 0): string {
  return Object.entries(schema.properties ?? {})
    .map(([name, member]) => {
      const isRequired = isSent && schema.required?.includes(name) === true
      const line = memberLine({ name, schema: member, isRequired, depth })
      const inner = depth < 3 ? membersText(innerOf(member), isSent, depth + 1) : ''
      return inner === '' ? line : `${line}\n${inner}`
    })
    .join('\n')
}

interface Line {
  name: string
  schema: Schema
  isRequired: boolean
  description?: string | undefined
  place?: string
  depth?: number
}

function memberLine({ name, schema, isRequired, description, place, depth = 0 }: Line): string {
  const told = [
    plain(typeOf(schema)),
    place !== undefined && `in ${place}`,
    isRequired && 'required',
    ...limitsOf(schema).map(plain),
  ].filter((part) => part !== false)
  const words = description ?? schema.description
  return `${'  '.repeat(depth)}- \`${name}\` (${told.join('; ')})${words ? `: ${words}` : ''}`
}

function coded(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#96': '`',
}

/** Markup of the reference as Markdown: code between backticks, links as their words. */
function plain(markup: Html): string {
  return markup
    .toString()
    .replace(/<\/?code>/g, '`')
    .replace(/<[^>]*>/g, '')
    .replace(/&([a-z]+|#\d+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
}
