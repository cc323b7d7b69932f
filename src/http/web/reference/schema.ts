import { type Html, html } from '../../kit/html.ts'
import type { Schema } from './document.ts'
import { inline } from './prose.ts'

const SCHEMAS = '#/components/schemas/'

export function schemaAnchor(name: string): string {
  return `object-${name}`
}

/** What a value is, in words: `text`, `list of Page`, `one of link, people`. */
export function typeOf(schema: Schema): Html {
  if (schema.$ref !== undefined) return linkOf(schema.$ref)
  const options = schema.anyOf ?? schema.oneOf
  if (options) return joined(options.map(typeOf), ' or ')
  if (schema.allOf) return joined(schema.allOf.map(typeOf), ' and ')
  if (schema.const !== undefined) return html`<code>${literalOf(schema.const)}</code>`
  if (schema.enum) return choicesOf(schema.enum)
  const types = [schema.type ?? 'any'].flat()
  return joined(
    types.map((type) => namedType(type, schema)),
    ' or ',
  )
}

/** A link to a named object of the document, by the last part of its reference. */
function linkOf(reference: string): Html {
  const name = reference.replace(SCHEMAS, '').replace(/^.*\//, '')
  return html`<a href="#${schemaAnchor(name)}">${name}</a>`
}

function namedType(type: string, schema: Schema): Html {
  if (type === 'array') return schema.items ? html`list of ${typeOf(schema.items)}` : html`list`
  if (type === 'string') return html`${STRINGS[schema.format ?? ''] ?? 'text'}`
  return html`${TYPES[type] ?? type}`
}

const TYPES: Record<string, string> = {
  boolean: 'true or false',
  integer: 'whole number',
  number: 'number',
  object: 'object',
  null: 'null',
  any: 'any value',
}
const STRINGS: Record<string, string> = {
  'date-time': 'time',
  email: 'email address',
  uri: 'address',
  binary: 'bytes',
  byte: 'base64 text',
}

function choicesOf(values: unknown[]): Html {
  const shown = values.map((value) => html`<code>${literalOf(value)}</code>`)
  return values.length === 1 ? html`${shown}` : html`one of ${joined(shown, ', ')}`
}

/** Only what one sends can be required: members of an answer are simply there. */
export type Direction = 'sent' | 'answered'

/** The members of an object, each with all that is known of it; nested ones below theirs. */
export function membersOf(schema: Schema, direction: Direction, depth = 0): Html | undefined {
  const members = Object.entries(schema.properties ?? {})
  if (members.length === 0) return undefined
  const required = new Set(direction === 'sent' ? schema.required : [])
  return html`<dl class="members">
${members.map(([name, member]) => {
  const isRequired = required.has(name)
  return memberOf({ name, member, isRequired, direction, depth })
})}
</dl>`
}

export interface Member {
  name: string
  member: Schema
  isRequired: boolean
  direction: Direction
  depth?: number
  description?: string | undefined
}

export function memberOf(told: Member): Html {
  const { name, member, isRequired, direction, depth = 0 } = told
  const description = told.description ?? member.description
  const limits = limitsOf(member)
  const inner = depth < 3 ? membersOf(innerOf(member), direction, depth + 1) : undefined
  return html`<div>
<dt><code class="name">${name}</code> <span class="type">${typeOf(member)}</span>
${isRequired && html`<span class="required">required</span>`}</dt>
<dd>${description !== undefined && html`<p>${inline(description)}</p>`}
${limits.length > 0 && html`<p class="limits">${joined(limits, '; ')}</p>`}
${inner}</dd>
</div>
`
}

/** Where a member's own members are: itself, its items, or the one alternative that has some. */
export function innerOf(schema: Schema): Schema {
  if (schema.properties) return schema
  if (schema.items) return innerOf(schema.items)
  const options = (schema.anyOf ?? schema.oneOf ?? []).map(innerOf)
  return options.find(({ properties }) => properties !== undefined) ?? {}
}

/** Its default, and what it may be. */
export function limitsOf(schema: Schema): Html[] {
  const items = schema.items ?? {}
  return [
    schema.default !== undefined && html`default <code>${literalOf(schema.default)}</code>`,
    rangeOf(schema.minLength, schema.maxLength, 'characters'),
    rangeOf(schema.minItems, schema.maxItems, 'items'),
    rangeOf(items.minLength, items.maxLength, 'characters each'),
    rangeOf(schema.minimum, schema.maximum),
    schema.exclusiveMinimum !== undefined && html`more than ${schema.exclusiveMinimum}`,
    schema.exclusiveMaximum !== undefined && html`less than ${schema.exclusiveMaximum}`,
    schema.pattern !== undefined &&
      !(schema.format !== undefined && schema.format in STRINGS) &&
      html`matches <code>${schema.pattern}</code>`,
  ].filter((limit): limit is Html => limit !== false)
}

function rangeOf(least: number | undefined, most: number | undefined, unit = ''): Html | false {
  const count = (value: number) => {
    const unitOf = value === 1 ? unit.replace(/s\b/, '') : unit
    return `${value.toLocaleString('en')} ${unitOf}`.trim()
  }
  if (least !== undefined && most !== undefined) {
    return html`${least === most ? '' : `${least.toLocaleString('en')} to `}${count(most)}`
  }
  if (most !== undefined) return html`at most ${count(most)}`
  if (least === 1 && unit.startsWith('characters')) return html`not empty`
  return least !== undefined && least > 0 && html`at least ${count(least)}`
}

function literalOf(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
}

function joined(parts: Html[], by: string): Html {
  return html`${parts.map((part, index) => (index === 0 ? part : html`${by}${part}`))}`
}
