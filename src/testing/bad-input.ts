import { z } from 'zod'

interface JsonSchema {
  type?: string | string[]
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  additionalProperties?: boolean | JsonSchema
}

export interface BadInput {
  what: 'wrong type' | 'out of bounds' | 'missing' | 'unknown'
  /** The path of the member that is wrong. */
  param: string
  input: Record<string, unknown>
}

type Path = readonly (string | number)[]
type Wrong = { what: BadInput['what']; path: Path; value: unknown }

/** No more than a request may have. */
const MAX_CHARS = 1_000_000
const SAFE = 2 ** 31
/** A value in its place leaves the member out. */
const OMITTED = Symbol('omitted')

/**
 * Inputs of an operation of which one member alone is wrong, for every member at every depth: its
 * type, its bounds, that it is missing, or that there is none of that name.
 */
export function* badInputs(schema: z.ZodObject): Generator<BadInput> {
  const root = jsonSchemaOf(schema)
  const base = exampleOf('', root) as Record<string, unknown>
  for (const { what, path, value } of wrongsOf(root, [])) {
    yield { what, param: path.join('.'), input: withValue(base, { root, path, value }) }
  }
}

/** Inputs with a very long text, for every text whose bound the JSON schema does not tell. */
export function* longInputs(schema: z.ZodObject): Generator<Omit<BadInput, 'what'>> {
  const root = jsonSchemaOf(schema)
  const base = exampleOf('', root) as Record<string, unknown>
  for (const { what, path, value: wrong } of wrongsOf(root, [])) {
    if (what !== 'wrong type' || typeof wrong !== 'number') continue
    const value = 'x'.repeat(100_000)
    yield { param: path.join('.'), input: withValue(base, { root, path, value }) }
  }
}

/** The smallest input that the schema takes. */
export function exampleInput(schema: z.ZodObject): Record<string, unknown> {
  return exampleOf('', jsonSchemaOf(schema)) as Record<string, unknown>
}

function jsonSchemaOf(schema: z.ZodObject): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}

/** Without the null that many members take. */
function plain(schema: JsonSchema): JsonSchema {
  return schema.anyOf?.find(({ type }) => type !== 'null') ?? schema
}

function typeOf(schema: JsonSchema): string | undefined {
  return [schema.type].flat().find((type) => type !== 'null')
}

function* wrongsOf(schema: JsonSchema, path: Path): Generator<Wrong> {
  const type = typeOf(schema)
  if (type === 'object') {
    // What a standard defines, such as a passkey's answer, has members that we do not read.
    const isOurs = schema.additionalProperties === false
    if (isOurs) yield { what: 'unknown', path: [...path, 'nonsense'], value: 1 }
    for (const [name, given] of Object.entries(schema.properties ?? {})) {
      const [member, inner] = [plain(given), [...path, name]]
      if (schema.required?.includes(name)) yield { what: 'missing', path: inner, value: OMITTED }
      yield* wrongValues(member, inner)
      yield* wrongsOf(member, inner)
    }
  }
  if (type !== 'array') return
  const items = schema.prefixItems ?? (schema.items ? [schema.items] : [])
  for (const [at, given] of items.entries()) {
    yield* wrongValues(plain(given), [...path, at])
    yield* wrongsOf(plain(given), [...path, at])
  }
}

function* wrongValues(schema: JsonSchema, path: Path): Generator<Wrong> {
  const value = WRONG_TYPES[typeOf(schema) ?? 'string']
  yield { what: 'wrong type', path, value: schema.enum || schema.const ? 'nonsense' : value }
  for (const beyond of beyondBounds(schema)) yield { what: 'out of bounds', path, value: beyond }
}
const WRONG_TYPES: Record<string, unknown> = {
  string: 7,
  integer: 'many',
  number: 'many',
  boolean: 'maybe',
  array: 'one',
  object: 'one',
}

function* beyondBounds(schema: JsonSchema): Generator<unknown> {
  const { maxLength = MAX_CHARS, minLength = 0, maxItems, minItems = 0 } = schema
  const { minimum = -SAFE, maximum = SAFE } = schema
  if (maxLength < MAX_CHARS) yield 'x'.repeat(maxLength + 1)
  if (minLength > 0) yield 'x'.repeat(minLength - 1)
  if (maxItems !== undefined && schema.items) {
    yield Array.from({ length: maxItems + 1 }, () => exampleOf('', plain(schema.items!)))
  }
  if (minItems > 0) yield []
  if (minimum > -SAFE) yield minimum - 1
  if (maximum < SAFE) yield maximum + 1
  if (typeOf(schema) === 'integer') yield 1.5
}

function exampleOf(name: string, schema: JsonSchema): unknown {
  const { default: usual, const: only, enum: values, minimum = 1, minLength = 8 } = schema
  const known = usual ?? only ?? values?.[0]
  if (known !== undefined && typeof known !== 'object') return known
  switch (typeOf(schema)) {
    case 'object': {
      const required = (schema.required ?? []).map((each) => [each, schema.properties![each]!])
      const members = required as [string, JsonSchema][]
      return Object.fromEntries(members.map(([each, of]) => [each, exampleOf(each, plain(of))]))
    }
    case 'array':
      return (schema.prefixItems ?? [schema.items!]).map((item) => exampleOf(name, plain(item)))
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return minimum
    default:
      return /email|^people$|^to$/.test(name)
        ? 'ada@example.com'
        : 'x'.repeat(Math.max(8, minLength))
  }
}

/** A copy of the input with the value at the path, whose parents are made where they are missing. */
function withValue(
  base: Record<string, unknown>,
  { root, path, value }: { root: JsonSchema; path: Path; value: unknown },
): Record<string, unknown> {
  const input = structuredClone(base)
  let [at, schema]: [Record<string | number, unknown>, JsonSchema] = [input, root]
  for (const key of path.slice(0, -1)) {
    schema = plain(
      typeof key === 'string'
        ? schema.properties![key]!
        : (schema.prefixItems?.[key] ?? schema.items!),
    )
    at[key] ??= exampleOf(String(key), schema)
    at = at[key] as typeof at
  }
  const last = path.at(-1)!
  if (value === OMITTED) delete at[last]
  else at[last] = value
  return input
}
