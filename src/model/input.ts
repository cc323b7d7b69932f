import type { z } from 'zod'
import { type Refusal, refuse } from './errors.ts'

/**
 * Validates and converts the input of an operation.
 *
 * @throws Refusal `unknown_parameter` or `invalid_parameter` for the first error
 */
export function parseInput<I extends z.ZodObject>(schema: I, input: unknown): z.output<I> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  throw refusalOf(parsed.error.issues[0]!)
}

function refusalOf(issue: z.core.$ZodIssue): Refusal {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') {
    const param = printable([...path, issue.keys[0]].join('.'))
    const message = `There is no parameter ${param}: check its spelling.`
    return refuse.invalid('unknown_parameter', message, { param })
  }
  const [param = 'body'] = path
  const message = `${path.join('.')}: ${sentence(messageOf(issue))}`
  return refuse.invalid('invalid_parameter', message, { param })
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
