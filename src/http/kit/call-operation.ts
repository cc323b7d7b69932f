import { ByteDownload, Download, StoredFile } from '../../model/download.ts'
import { parseInput } from '../../model/input.ts'
import type { Operation, RawBody } from '../../model/operation.ts'

async function* noBody(): AsyncGenerator<Uint8Array> {}

const FILES = [Download, ByteDownload, StoredFile]

/** Parses the input, runs the operation and applies its output schema, for REST and MCP. */
export async function callOperation(
  operation: Operation,
  subject: unknown,
  request: { input: unknown; body?: RawBody },
): Promise<unknown> {
  const { input, ignored, output, pick } = operation.contract
  const parsed = parseInput(input, request.input, ignored)
  const run = operation.run as (...args: unknown[]) => Promise<unknown>
  const answer = await run(subject, parsed, request.body ?? noBody())
  if (FILES.some((kind) => answer instanceof kind)) return answer
  if (output === null) return undefined
  return pick === undefined ? output.parse(answer) : pick(answer)
}
