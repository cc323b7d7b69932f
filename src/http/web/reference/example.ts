import type { OpenApiDocument, Operation, Parameter, Placed, Schema } from './document.ts'
import { resolve } from './document.ts'
import { answeredValue } from './responses.ts'

/** A command that can be pasted once the words in capitals are replaced. */
export function curlOf(document: OpenApiDocument, placed: Placed, server: string): string {
  const { method, path, operation } = placed
  const parameters = (operation.parameters ?? []).map((one) => resolve(document, one))
  const lines = [`curl ${methodFlag(method)}${quoted(server + addressOf(path, parameters))}`]
  if (!Array.isArray(operation.security) || operation.security.length > 0) {
    lines.push('-H "Authorization: Bearer $HANDBILL_API_KEY"')
  }
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  if (type !== undefined) {
    lines.push(`-H "Content-Type: ${type}"`)
    if (type === 'application/json') {
      const sample = media?.example ?? sampleOf(document, media?.schema ?? {})
      lines.push(`-d ${quotedJson(sample)}`)
    } else lines.push('--data-binary @FILE')
  }
  return lines.join(' \\\n  ')
}

function methodFlag(method: string): string {
  return method === 'get' ? '' : `-X ${method.toUpperCase()} `
}

/** Required query parameters only: the others are for who needs them. */
function addressOf(path: string, parameters: Parameter[]): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const schema = parameters.find((one) => one.name === name)?.schema
    return isNumber(schema) ? '1' : name.toUpperCase()
  })
  const query = parameters.filter((one) => one.in === 'query' && one.required === true)
  const told = query.map((one) => `${one.name}=${one.example ?? one.name.toUpperCase()}`)
  return told.length > 0 ? `${filled}?${told.join('&')}` : filled
}

function isNumber(schema: Schema | undefined): boolean {
  return schema?.type === 'integer' || schema?.type === 'number'
}

function quoted(address: string): string {
  return /[?&]/.test(address) ? `"${address}"` : address
}

/** On one line where it fits there. */
function quotedJson(value: unknown): string {
  const spread = JSON.stringify(value, null, 2) ?? '{}'
  const line = spread.replace(/\n\s*/g, ' ')
  return `'${(line.length <= 48 ? line : spread).replace(/'/g, "'\\''")}'`
}

/** What the operation answers when it is done, as far as the document tells it. */
export function answerSample(
  document: OpenApiDocument,
  { responses = {} }: Operation,
): string | undefined {
  const done = Object.entries(responses).find(([status]) => status.startsWith('2'))
  const schema = done && resolve(document, done[1]).content?.['application/json']?.schema
  if (schema === undefined) return undefined
  return JSON.stringify(sampleOf(document, schema, { isAnswer: true }), null, 2)
}

/** Where nothing is required, a body with nothing in it would show nothing. */
const TELLING = ['title', 'html', 'label', 'edits']

interface Place {
  name?: string
  /** The named object it is a member of. */
  owner?: string
  isAnswer?: boolean
}

/** The smallest value that shows what the schema wants. */
export function sampleOf(document: OpenApiDocument, given: Schema, place: Place = {}): unknown {
  const schema = resolve(document, given)
  const known = place.isAnswer === true ? answeredValue(place) : undefined
  if (known !== undefined) return known
  const told = schema.example ?? schema.examples?.[0] ?? schema.const ?? schema.enum?.[0]
  if (told !== undefined) return told
  const options = schema.anyOf ?? schema.oneOf
  if (place.isAnswer && options?.some(({ type }) => type === 'null')) return null
  if (options?.[0]) return sampleOf(document, options[0], place)
  const [type = 'object', ...others] = [schema.type ?? 'object'].flat()
  if (place.isAnswer && others.includes('null')) return null
  const owner = given.$ref?.replace(/^.*\//, '') ?? ''
  if (type === 'object') return sampleObject(document, schema, { ...place, owner })
  if (type === 'array') return schema.items ? [sampleOf(document, schema.items, place)] : []
  if (type === 'boolean') return place.isAnswer ? false : schema.default !== true
  if (type === 'integer' || type === 'number') return schema.minimum ?? (place.isAnswer ? 0 : 1)
  return type === 'string' ? sampleText(schema, place.name ?? '') : null
}

function sampleObject(document: OpenApiDocument, schema: Schema, place: Place): unknown {
  const members = Object.entries(schema.properties ?? {})
  const required = members.filter(([name]) => schema.required?.includes(name))
  const telling = members.filter(([name]) => TELLING.includes(name))
  const shown = [required, telling, members.slice(0, 1)].find((some) => some.length > 0) ?? []
  return Object.fromEntries(
    shown.map(([name, member]) => [name, sampleOf(document, member, { ...place, name })]),
  )
}

function sampleText({ format, default: usual }: Schema, name: string): string {
  if (format === 'date-time' || /_at$|^since$/.test(name)) return '2027-01-31T12:00:00Z'
  if (format === 'email' || /email/.test(name)) return 'ada@example.com'
  if (format === 'uri' || /_url$/.test(name)) return 'https://example.com/page.html'
  return typeof usual === 'string' && usual !== '' ? usual : (TEXTS[name] ?? 'Hello')
}

const TEXTS: Record<string, string> = {
  html: '<h1>Hello</h1>',
  path: 'index.html',
  replace: 'Good day',
  label: 'As signed off',
}
