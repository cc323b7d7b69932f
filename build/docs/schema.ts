import { type Html, html } from '../../src/model/html.ts'
import { renderInline } from './markup.ts'
import { OBJECTS_PATH, type SchemaObject, schemaAnchor } from './openapi.ts'

/** Describes the type in words: `text`, `list of Page`, `one of link, people`. */
export function typeOf(schema: SchemaObject): Html {
  if (schema.$ref !== undefined) return schemaLink(schema.$ref)
  const options = schema.anyOf ?? schema.oneOf
  if (options) return join(options.map(typeOf), ' or ')
  if (schema.const !== undefined) return html`<code>${literalText(schema.const)}</code>`
  if (schema.enum) return choiceText(schema.enum)
  const types = [schema.type ?? 'any'].flat()
  return join(
    types.map((type) => typeText(type, schema)),
    ' or ',
  )
}

function schemaLink(reference: string): Html {
  const name = reference.replace(/^.*\//, '')
  return html`<a href="${OBJECTS_PATH}#${schemaAnchor(name)}">${name}</a>`
}

function typeText(type: string, schema: SchemaObject): Html {
  if (type === 'array') return schema.items ? html`list of ${typeOf(schema.items)}` : html`list`
  if (type === 'string') return html`${STRING_FORMATS[schema.format ?? ''] ?? 'text'}`
  return html`${TYPES[type] ?? type}`
}

const TYPES: Record<string, string> = {
  boolean: 'true or false',
  integer: 'whole number',
  any: 'any value',
}
const STRING_FORMATS: Record<string, string> = {
  'date-time': 'time',
  email: 'email address',
  uri: 'address',
  binary: 'bytes',
  byte: 'base64 text',
}

function choiceText(values: unknown[]): Html {
  const choices = values.map((value) => html`<code>${literalText(value)}</code>`)
  return values.length === 1 ? html`${choices}` : html`one of ${join(choices)}`
}

/** Only members of a request are marked as required: a response always has all its members. */
type Direction = 'request' | 'response'

/** Lists the members of an object with types, limits and descriptions, to a depth of four. */
export function memberList(schema: SchemaObject, direction: Direction, depth = 0) {
  const members = Object.entries(schema.properties ?? {})
  if (members.length === 0) return undefined
  const required = new Set(direction === 'request' ? schema.required : [])
  return html`<dl class="members">
${members.map(([name, member]) => {
  return memberEntry({ name, schema: member, isRequired: required.has(name), direction, depth })
})}
</dl>`
}

export interface MemberEntry {
  name: string
  schema: SchemaObject
  isRequired: boolean
  direction: Direction
  depth?: number
  description?: string | undefined
}

export function memberEntry(entry: MemberEntry): Html {
  const { name, schema, isRequired, direction, depth = 0 } = entry
  const description = entry.description ?? schema.description
  const limits = limitsOf(schema)
  const nested = depth < 3 && memberList(nestedObject(schema), direction, depth + 1)
  return html`<div>
<dt><code class="name">${name}</code> <span class="type">${typeOf(schema)}</span>
${isRequired && html`<span class="required">required</span>`}</dt>
<dd>${description !== undefined && html`<p>${renderInline(description)}</p>`}
${limits.length > 0 && html`<p class="limits">${join(limits, '; ')}</p>`}
${nested}</dd>
</div>
`
}

/** The schema with a member's own members: itself, its items, or its alternatives together. */
export function nestedObject(schema: SchemaObject): SchemaObject {
  if (schema.properties) return schema
  if (schema.items) return nestedObject(schema.items)
  const options = (schema.anyOf ?? schema.oneOf ?? []).map(nestedObject)
  const [first = {}, ...others] = options.filter(({ properties }) => properties !== undefined)
  return others.reduce(withMembers, first)
}

/** The members of both; one that they have differently is either. */
function withMembers(one: SchemaObject, other: SchemaObject): SchemaObject {
  const properties = { ...one.properties }
  for (const [name, member] of Object.entries(other.properties ?? {})) {
    const earlier = properties[name]
    const isNew = earlier === undefined || JSON.stringify(earlier) === JSON.stringify(member)
    const either = [...(earlier?.anyOf ?? [earlier ?? {}]), member]
    properties[name] = isNew ? member : { anyOf: either }
  }
  return { ...one, properties }
}

export function limitsOf(schema: SchemaObject): Html[] {
  const items = schema.items ?? {}
  return [
    schema.default !== undefined && html`default <code>${literalText(schema.default)}</code>`,
    rangeOf(schema.minLength, schema.maxLength, 'characters'),
    rangeOf(schema.minItems, schema.maxItems, 'items'),
    rangeOf(items.minLength, items.maxLength, 'characters each'),
    rangeOf(schema.minimum, schema.maximum),
    schema.pattern !== undefined &&
      !(schema.format !== undefined && schema.format in STRING_FORMATS) &&
      html`matches <code>${schema.pattern}</code>`,
  ].filter((limit): limit is Html => limit !== false)
}

function rangeOf(min: number | undefined, max: number | undefined, unit = ''): Html | false {
  const count = (value: number) => {
    const noun = value === 1 ? unit.replace(/s\b/, '') : unit
    return `${value.toLocaleString('en')} ${noun}`.trim()
  }
  if (min !== undefined && max !== undefined) {
    return html`${min === max ? '' : `${min.toLocaleString('en')} to `}${count(max)}`
  }
  if (max !== undefined) return html`at most ${count(max)}`
  if (min === 1 && unit.startsWith('characters')) return html`not empty`
  return min !== undefined && min > 0 && html`at least ${count(min)}`
}

function literalText(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
}

export function join(parts: readonly Html[], separator = ', '): Html {
  return html`${parts.map((part, index) => (index === 0 ? part : html`${separator}${part}`))}`
}
