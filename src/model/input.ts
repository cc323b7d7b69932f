import type { z } from 'zod'
import { type Refusal, refuse } from './errors.ts'

/**
 * What was sent, as an operation takes it.
 *
 * @throws Refusal `unknown_parameter`, `invalid_parameter`: of the first thing that is wrong
 */
export function parseInput<I extends z.ZodObject>(schema: I, given: unknown): z.output<I> {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw refusalOf(parsed.error.issues[0]!)
}

function refusalOf(issue: z.core.$ZodIssue): Refusal {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') {
    const param = shown([...path, issue.keys[0]].join('.'))
    const message = `There is no parameter ${param}: check its spelling.`
    return refuse.invalid('unknown_parameter', message, { param })
  }
  const [param = 'body'] = path
  const message = `${path.join('.')}: ${sentence(wordsOf(issue))}`
  return refuse.invalid('invalid_parameter', message, { param })
}

const KINDS: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** What to do, in our words where the schema's speak of its own types. */
function wordsOf(issue: z.core.$ZodIssue): string {
  const [, wanted = '', got] =
    /^Invalid input: expected (\w+), received (\w+)/.exec(issue.message) ?? []
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`
  if (KINDS[wanted] === undefined) return issue.message
  return got === 'undefined' ? 'is missing' : `must be ${KINDS[wanted]}`
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** A name that came in, as a message may say it: on one line, and not for ever. */
function shown(name: string): string {
  const line = name.toWellFormed().replaceAll(/\p{Cc}|\p{Zl}|\p{Zp}/gu, '\ufffd')
  return line.length <= 100 ? line : `${line.slice(0, 100).toWellFormed()}…`
}
