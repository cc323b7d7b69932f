import type { z } from 'zod'
import { type Refusal, refuse } from '../model/errors.ts'
import type { Operation, RawBody } from '../model/operation.ts'

async function* noBody(): RawBody {}

/** The one way in: every door parses, runs and presents an operation here. */
export async function call(
  operation: Operation,
  subject: unknown,
  given: { input: unknown; body?: RawBody },
): Promise<unknown> {
  const { input, output } = operation.contract
  const parsed = input.safeParse(given.input)
  if (!parsed.success) throw refusalOf(parsed.error.issues[0]!)
  const run = operation.run as (...args: unknown[]) => Promise<unknown>
  const answer = await run(subject, parsed.data, given.body ?? noBody())
  return output === null ? undefined : output.parse(answer)
}

function refusalOf(issue: z.core.$ZodIssue): Refusal {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') {
    const param = [...path, issue.keys[0]].join('.')
    return refuse.invalid(
      'unknown_parameter',
      `There is no parameter ${param}: check its spelling.`,
      {
        param,
      },
    )
  }
  const [param = 'body'] = path
  return refuse.invalid('invalid_parameter', `${path.join('.')}: ${sentence(issue.message)}`, {
    param,
  })
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
