import { z } from 'zod'
import {
  type Account,
  assertMayUse,
  type RequestKey,
  SCOPES,
  scopeMissing,
} from '../../model/account.ts'
import { Download, StoredFile } from '../../model/download.ts'
import { isInTrash, type Refusal, refuse } from '../../model/errors.ts'
import { parseInput } from '../../model/input.ts'
import {
  bodyOf,
  type Contract,
  needsRecentSignIn,
  type Operation,
  type RawBody,
  type RequestContext,
  refusesConfirmedOnly,
  refusesTrashed,
  scopesOf,
  takesPageKeys,
  takesSessionOnly,
} from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import { hasCode, isForeignKeyViolation } from '../../platform/db/errors.ts'

/** The account of a request, and the one that authenticated it: an API key or a session. */
export interface Principal {
  account: Account
  key: RequestKey | null
  session: SessionPrincipal | null
}

export interface SessionPrincipal {
  account: Account
  session_id: string
  /** It signed in within the last hour. */
  has_recent_sign_in: boolean
}

/** Authenticates a request. @throws Refusal `unauthenticated` */
export type Authenticate = (request: Request) => Promise<Principal>

/** Finds who is signed in. Null where the request has no valid session, or must not use it. */
export type ResolveSession = (request: Request) => Promise<SessionPrincipal | null>

/**
 * Whom rate limits count a request for: the account with all its keys together. Its sessions count
 * apart, so that a program which uses up the limit locks its owner out of nothing.
 */
export function callerOf({ account, key }: Principal): string {
  return key === null ? `${account.id} app` : account.id
}

/**
 * Applies the audience of an operation to its caller.
 *
 * @param findPage finds the page that the call names, if this account owns it
 * @returns the page of an `owner` operation; null for one without a page
 * @throws Refusal `session_only`, `scope_missing`, `guest_session`, `operator_only`, `in_trash`, or
 *   what `findPage` throws
 */
export async function authorize(
  contract: Contract,
  { account, session, key }: Principal,
  findPage: () => Promise<Page>,
): Promise<Page | null> {
  const { audience, takesGuests = false } = contract
  if (takesSessionOnly(contract) && session === null) {
    throw refuse.forbidden('session_only', 'No API key may do this: sign in and do it in the app.')
  }
  const refusal = key === null ? null : refusalFor(contract, key)
  if (refusal !== null) throw refusal
  if (account.is_guest && !takesGuests) {
    const message = 'This account opens the pages that it is invited to, and has none itself.'
    throw refuse.forbidden('guest_session', message)
  }
  if (audience === 'operator' && !account.is_operator) {
    throw refuse.forbidden('operator_only', 'Only the operator of this server may do this.')
  }
  if (audience !== 'owner') return null
  const page = await findPage()
  if (key !== null) assertMayUse(key, page.id)
  if (page.trashed_at !== null && refusesTrashed(contract)) throw isInTrash()
  return page
}

/** Whether a key may call an operation, on some pages at least. */
export function isOpenTo({ contract }: Operation, key: RequestKey): boolean {
  return refusalFor(contract, key) === null
}

/** The refusal of a call by this key, `scope_missing`; null where it may call. */
export function refusalFor(contract: Contract, key: RequestKey): Refusal | null {
  const missing = scopesOf(contract).filter((scope) => !key.scopes.includes(scope))
  if (missing.length > 0) {
    const text = `This key has ${key.scopes.join(', ')}. For this it needs ${missing.join(', ')}`
    const cure = key.client_id ? 'connect the app again, and allow that' : 'use another key'
    return scopeMissing(`${text} too: ${cure}.`, missing.join(' '), key.scopes)
  }
  if (key.page_ids !== null && !takesPageKeys(contract)) {
    const text = 'This key is limited to some pages, and this is about all pages of the account.'
    return scopeMissing(`${text} Use a key without that limit.`, 'page_ids')
  }
  if (key.confirmed_only && refusesConfirmedOnly(contract)) {
    const text =
      'This key has confirmed_only: of viewers it reads the feedback of those who confirmed an ' +
      'address, with GET /feedback or wait_for_feedback. Use a key without that limit for this.'
    return scopeMissing(text, 'confirmed_only')
  }
  return null
}

const NO_NUL = 'Send no text with the character NUL (U+0000).'

async function* noBody(): AsyncGenerator<Uint8Array> {}

interface OperationCall {
  /** What the operation gets, by its audience. */
  subject: { account: Account; page?: Page | null; context: RequestContext }
  /** Null where an API key authenticates the call. */
  session: SessionPrincipal | null
  input: unknown
  body?: RawBody
  /** Finds a page of the account, as it is then. @throws Refusal `page_not_found` */
  findPage?: (account: Account, id: string) => Promise<Page>
}

/**
 * Parses the input, runs the operation and applies its output schema, for REST and MCP.
 *
 * @throws Refusal `sign_in_again`; `page_not_found` or `unauthenticated` where the page or account
 *   was deleted meanwhile
 */
export async function callOperation(operation: Operation, call: OperationCall): Promise<unknown> {
  const { contract } = operation
  const { hints, output } = contract
  const { subject, session } = call
  const input = parseInput(contract.input, call.input, hints)
  const isRecent = session?.has_recent_sign_in ?? true
  if (!isRecent && needsRecentSignIn(contract, input, subject.page ?? null)) {
    const message = 'You signed in more than an hour ago. Sign in again to do this.'
    throw refuse.forbidden('sign_in_again', message)
  }
  const run = operation.run as (...args: unknown[]) => Promise<unknown>
  async function renew() {
    await subject.context.renew?.()
    if (subject.page) await call.findPage?.(subject.account, subject.page.id)
  }
  const renewable = { ...subject, context: { ...subject.context, renew } }
  const answer = await run(renewable, input, call.body ?? noBody()).catch(async (err) => {
    // PostgreSQL takes no NUL, so nothing there has an id or a text with one.
    if (hasCode(err, /^22(?:021|P05)$/)) throw refuse.invalid('invalid_parameter', NO_NUL)
    // A row that was to refer to the page or the account. If they are there, it is a bug.
    if (isForeignKeyViolation(err)) await renew()
    throw err
  })
  if (answer instanceof Download || answer instanceof StoredFile) return answer
  return output === null ? undefined : bodyOf(output, answer)
}

/**
 * Whether results of an operation may be compressed: only those of a read that cannot contain a
 * secret, such as the password of a page. Schemas are searched at the first request, not at the
 * start.
 */
export function createCompressibleResults() {
  const compressible = new WeakMap<Contract, boolean>()

  return (contract: Contract): boolean =>
    compressible.getOrInsertComputed(
      contract,
      ({ http, output }) => http.method === 'GET' && !holdsSecret(output),
    )
}

/** Whether the schema has a member with the name of a secret, at any depth. */
function holdsSecret(output: z.ZodType | null): boolean {
  if (output === null) return false
  const schema = z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' })
  return /"(?:password|secret|token)":\{/.test(JSON.stringify(schema))
}

/** Where an app reads how to get a token for a resource of ours. */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'

/**
 * The header by which an app finds out how to connect, or what else to ask its person for (RFC
 * 6750, 9728). None for a refusal that another token would not change.
 */
export function bearerChallenge(
  { kind, code, details }: Refusal,
  { baseUrl, resource }: { baseUrl: string; resource: '/mcp' | '/api/v1' },
): Record<string, string> {
  const metadata = `resource_metadata="${baseUrl}${RESOURCE_METADATA}${resource}"`
  if (kind === 'unauthenticated') {
    const error = code === 'missing_key' ? '' : 'error="invalid_token", '
    return { 'www-authenticate': `Bearer ${error}${metadata}, scope="${SCOPES.join(' ')}"` }
  }
  if (code !== 'scope_missing' || !Array.isArray(details?.has)) return {}
  // With those that it has: an app that asks for just what stands here would lose them.
  const scopes = [...details.has, ...String(details.scope).split(' ')]
  const scope = `scope="${SCOPES.filter((each) => scopes.includes(each)).join(' ')}"`
  return { 'www-authenticate': `Bearer error="insufficient_scope", ${scope}, ${metadata}` }
}
