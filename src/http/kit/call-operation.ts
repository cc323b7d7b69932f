import type { Account } from '../../model/account.ts'
import { ByteDownload, Download, StoredFile } from '../../model/download.ts'
import { refuse } from '../../model/errors.ts'
import { parseInput } from '../../model/input.ts'
import { needsRecentSignIn, type Operation, type RawBody } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import type { SessionPrincipal } from './principal.ts'

async function* noBody(): AsyncGenerator<Uint8Array> {}

const FILES = [Download, ByteDownload, StoredFile]

export interface OperationCall {
  /** What the operation gets, by its audience. */
  subject: { account: Account; page?: Page | null }
  /** Null where an API key authenticates the call. */
  session: SessionPrincipal | null
  input: unknown
  body?: RawBody
}

/**
 * Parses the input, runs the operation and applies its output schema, for REST and MCP.
 *
 * @throws Refusal `sign_in_again`
 */
export async function callOperation(operation: Operation, call: OperationCall): Promise<unknown> {
  const { contract } = operation
  const { hints, output, pick } = contract
  const { subject, session } = call
  const parsed = parseInput(contract.input, call.input, hints)
  const isRecent = session?.has_recent_sign_in ?? true
  if (!isRecent && needsRecentSignIn(contract, parsed, subject.page ?? null)) {
    throw refuse.forbidden('sign_in_again', SIGN_IN_AGAIN)
  }
  const run = operation.run as (...args: unknown[]) => Promise<unknown>
  const answer = await run(subject, parsed, call.body ?? noBody())
  if (FILES.some((kind) => answer instanceof kind)) return answer
  if (output === null) return undefined
  return pick === undefined ? output.parse(answer) : pick(answer)
}

const SIGN_IN_AGAIN = 'You signed in more than an hour ago. Sign in again to do this.'
