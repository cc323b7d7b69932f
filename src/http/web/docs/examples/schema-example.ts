import type { OpenApiDocument } from '../../../kit/openapi-document.ts'
import { type OperationObject, resolveReference, type SchemaObject } from '../openapi/document.ts'
import { answerValue, EXAMPLE_ORIGIN } from './answer-values.ts'

/** Builds the JSON that a successful operation answers, if it answers JSON. */
export function responseExample(
  document: OpenApiDocument,
  { responses = {} }: OperationObject,
): string | undefined {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))
  const response = success && resolveReference(document, success[1])
  const schema = response?.content?.['application/json']?.schema
  if (schema === undefined) return undefined
  const text = JSON.stringify(schemaExample(document, schema, { isResponse: true }), null, 2)
  const server = document.servers?.[0]?.url
  return server === undefined ? text : text.replaceAll(EXAMPLE_ORIGIN, new URL(server).origin)
}

/** Members that an example shows when the schema requires none. */
const ILLUSTRATIVE = ['title', 'html', 'label', 'edits', 'is_hidden']
/** Members that most requests leave out. */
const SPECIAL = ['addresses']

interface ExampleContext {
  /** The member that gets the value. */
  name?: string
  /** The named schema that has the member. */
  owner?: string
  isResponse?: boolean
}

/** Builds the smallest value that illustrates the schema. */
export function schemaExample(
  document: OpenApiDocument,
  reference: SchemaObject,
  context: ExampleContext = {},
): unknown {
  const schema = resolveReference(document, reference)
  const isResponse = context.isResponse === true
  const known = isResponse ? answerValue(context) : undefined
  if (known !== undefined) return known
  const declared = schema.example ?? schema.examples?.[0] ?? schema.const ?? schema.enum?.[0]
  if (declared !== undefined) return declared
  const options = schema.anyOf ?? schema.oneOf
  if (isResponse && options?.some(({ type }) => type === 'null')) return null
  if (options?.[0]) return schemaExample(document, options[0], context)
  const [type = 'object', ...others] = [schema.type ?? 'object'].flat()
  if (isResponse && others.includes('null')) return null
  const owner = reference.$ref?.replace(/^.*\//, '') ?? ''
  if (type === 'object') return objectExample(document, schema, { ...context, owner })
  if (type === 'array') return schema.items ? [schemaExample(document, schema.items, context)] : []
  if (type === 'boolean') return isResponse ? false : schema.default !== true
  if (type === 'integer' || type === 'number') return schema.minimum ?? (isResponse ? 0 : 1)
  return type === 'string' ? textExample(schema, context.name ?? '') : null
}

function objectExample(
  document: OpenApiDocument,
  schema: SchemaObject,
  context: ExampleContext,
): unknown {
  const members = Object.entries(schema.properties ?? {})
  const required = members.filter(([name]) => schema.required?.includes(name))
  const illustrative = members.filter(([name]) => ILLUSTRATIVE.includes(name))
  const usual = members.filter(([name]) => !SPECIAL.includes(name))
  const shown = [required, illustrative, usual.slice(0, 1)].find((some) => some.length > 0) ?? []
  return Object.fromEntries(
    shown.map(([name, member]) => [name, schemaExample(document, member, { ...context, name })]),
  )
}

function textExample({ format, default: defaultText }: SchemaObject, name: string): string {
  if (format === 'date-time' || /_at$|^since$/.test(name)) return '2027-01-31T12:00:00Z'
  if (format === 'email' || /email/.test(name)) return 'ada@example.com'
  if (format === 'uri' || /_url$/.test(name)) return 'https://example.com/page.html'
  const hasDefault = typeof defaultText === 'string' && defaultText !== ''
  return hasDefault ? defaultText : (TEXTS[name] ?? 'Hello')
}

const TEXTS: Record<string, string> = {
  html: '<h1>Hello</h1>',
  path: 'index.html',
  replace: 'Good day',
  label: 'As signed off',
  body: 'We moved it to 16 May.',
  comment_ids: 'COMMENT_ID',
}
