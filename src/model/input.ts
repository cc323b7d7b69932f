import type { z } from 'zod'
import { type Refusal, refuse } from './errors.ts'
import { closestParameter } from './parameter-names.ts'

/**
 * Validates and converts the input of an operation.
 *
 * @param ignored members to drop first, as the contract names them
 * @throws Refusal `unknown_parameter` or `invalid_parameter` for the first error;
 *   an unknown name comes before what is missing, since it often is what was meant
 */
export function parseInput<I extends z.ZodObject>(
  schema: I,
  input: unknown,
  ignored: readonly string[] = [],
): z.output<I> {
  const parsed = schema.safeParse(ignored.length === 0 ? input : without(input, ignored))
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  const unknown = issues.find(({ code }) => code === 'unrecognized_keys')
  throw refusalOf(unknown ?? issues[0]!, schema)
}

function without(input: unknown, names: readonly string[]): unknown {
  const members = Object.entries(input as object).filter(([name]) => !names.includes(name))
  return Object.fromEntries(members)
}

function refusalOf(issue: z.core.$ZodIssue, schema: z.core.$ZodType): Refusal {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') {
    const param = printable([...path, issue.keys[0]].join('.'))
    const meant = closestParameter(issue.keys[0]!, membersAt(schema, issue.path))
    const cure = meant === null ? 'check its spelling.' : `did you mean ${meant}?`
    const message = `There is no parameter ${param}: ${cure}`
    return refuse.invalid('unknown_parameter', message, {
      param,
      ...(meant !== null && { did_you_mean: meant }),
    })
  }
  const [param = 'body'] = path
  const message = `${path.join('.')}: ${sentence(messageOf(issue))}`
  return refuse.invalid('invalid_parameter', message, { param })
}

/** The names of the members of the object at a path of the schema. */
function membersAt(schema: z.core.$ZodType | undefined, path: readonly PropertyKey[]): string[] {
  const definition = schema?._zod.def as Definition | undefined
  if (definition?.innerType !== undefined) return membersAt(definition.innerType, path)
  const [next, ...rest] = path
  if (next === undefined) return Object.keys(definition?.shape ?? {})
  const inner = typeof next === 'number' ? definition?.element : definition?.shape?.[String(next)]
  return membersAt(inner, rest)
}
/** The parts of a zod definition that contain other schemas. */
interface Definition {
  innerType?: z.core.$ZodType
  element?: z.core.$ZodType
  shape?: Record<string, z.core.$ZodType>
}

const TYPES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** Words the messages of zod in plain English, where they name types of its schema. */
function messageOf(issue: z.core.$ZodIssue): string {
  const [, expected = '', received] =
    /^Invalid input: expected (\w+), received (\w+)/.exec(issue.message) ?? []
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`
  if (TYPES[expected] === undefined) return issue.message
  return received === 'undefined' ? 'is missing' : `must be ${TYPES[expected]}`
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** Makes a name from a request safe for a message: one line of limited length. */
function printable(name: string): string {
  const line = name.toWellFormed().replaceAll(/\p{Cc}|\p{Zl}|\p{Zp}/gu, '\ufffd')
  return line.length <= 100 ? line : `${line.slice(0, 100).toWellFormed()}…`
}
