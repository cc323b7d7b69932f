import { SCOPES } from '../../model/account.ts'
import type { Refusal } from '../../model/errors.ts'

/** Where an app reads how to get a token for a resource of ours. */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'
type Resource = '/mcp' | '/api/v1'

/**
 * The header by which an app finds out how to connect, or what else to ask its person for (RFC
 * 6750, 9728). None for a refusal that another token would not change.
 */
export function bearerChallenge(
  { kind, code, details }: Refusal,
  { baseUrl, resource }: { baseUrl: string; resource: Resource },
): Record<string, string> {
  const metadata = `resource_metadata="${baseUrl}${RESOURCE_METADATA}${resource}"`
  if (kind === 'unauthenticated') {
    const error = code === 'missing_key' ? '' : 'error="invalid_token", '
    return { 'www-authenticate': `Bearer ${error}${metadata}, scope="${SCOPES.join(' ')}"` }
  }
  const missing = String(details?.scope).split(' ')
  const isOfScopes = missing.every((scope) => SCOPES.some((known) => known === scope))
  if (code !== 'scope_missing' || !isOfScopes) return {}
  const scope = `scope="${missing.join(' ')}"`
  return { 'www-authenticate': `Bearer error="insufficient_scope", ${scope}, ${metadata}` }
}
