import { Download } from '../../model/download.ts'
import { parseInput } from '../../model/input.ts'
import type { Operation, RawBody } from '../../model/operation.ts'

async function* noBody(): RawBody {}

/** The one way in: every door parses, runs and presents an operation here. */
export async function call(
  operation: Operation,
  subject: unknown,
  given: { input: unknown; body?: RawBody },
): Promise<unknown> {
  const { input, output } = operation.contract
  const parsed = parseInput(input, given.input)
  const run = operation.run as (...args: unknown[]) => Promise<unknown>
  const answer = await run(subject, parsed, given.body ?? noBody())
  if (answer instanceof Download) return answer
  return output === null ? undefined : output.parse(answer)
}
