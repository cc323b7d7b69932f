import { type ErrorCode, meaningOf } from '../../model/error-codes/index.ts'
import { STATUS } from '../../model/error-codes/meaning.ts'
import {
  type Contract,
  changesPage,
  needsRecentSignIn,
  refusesTrashed,
  scopesOf,
  takesSessionOnly,
} from '../../model/operation.ts'

/** The codes that any request to the API may be refused with. */
export const COMMON_CODES: readonly ErrorCode[] = [
  'missing_key',
  'bad_key',
  'key_expired',
  'account_suspended',
  'unknown_endpoint',
  'method_not_allowed',
  'encoded_body',
  'bad_idempotency_key',
  'rate_limited',
  'server_busy',
  'body_timeout',
  'storage_full',
  'database_down',
  'files_down',
  'internal',
]

/** The codes that an operation may be refused with: by its route, and by its handler. */
export function errorCodesOf(contract: Contract): ErrorCode[] {
  const { http, audience, input, errors } = contract
  const { hasJsonBody, takesIfMatch } = requestShape(contract)
  const hasMembers = Object.keys(input.shape).length > 0
  const needsScope = !takesSessionOnly(contract) && scopesOf(contract).length > 0
  return [
    ...new Set<ErrorCode>([
      ...(takesSessionOnly(contract) ? sessionCodes(contract) : []),
      ...(needsScope ? (['scope_missing'] as const) : []),
      ...(http.rawBody ? [] : (['unknown_parameter'] as const)),
      ...(hasMembers ? (['invalid_parameter'] as const) : []),
      ...(hasJsonBody ? (['malformed_json', 'not_json'] as const) : []),
      ...(audience === 'operator' ? (['operator_only'] as const) : []),
      ...(audience === 'owner' ? (['page_not_found'] as const) : []),
      ...(refusesTrashed(contract) ? (['in_trash'] as const) : []),
      ...(takesIfMatch ? (['precondition_failed'] as const) : []),
      ...errors,
    ]),
  ]
}

function sessionCodes(contract: Contract): ErrorCode[] {
  const ofGuests = contract.takesGuests === true ? [] : (['guest_session'] as const)
  const ofRecent = needsRecentSignIn(contract, {}, null) ? (['sign_in_again'] as const) : []
  return ['signed_out', 'session_only', 'foreign_origin', ...ofGuests, ...ofRecent]
}

/** The kinds of input that a request for the operation may have besides its address. */
export function requestShape(contract: Contract) {
  const { http, errors } = contract
  const hasBody = http.method === 'POST' || http.method === 'PATCH'
  return {
    hasJsonBody: hasBody && !http.rawBody,
    takesIfMatch: changesPage(contract),
    takesIdempotencyKey: errors.includes('idempotency_key_reused'),
  }
}

export function statusOf(code: ErrorCode): number {
  return STATUS[meaningOf(code).kind]
}

/** Groups codes by their status, lowest first. */
export function byStatus(codes: readonly ErrorCode[]): [status: number, codes: ErrorCode[]][] {
  return [...Map.groupBy(codes, statusOf)].sort(([a], [b]) => a - b)
}
