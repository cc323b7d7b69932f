import { SCOPES } from '../../../model/account.ts'
import type { Site } from '../../../model/site.ts'

interface MetadataDeps {
  baseUrl: string
  site: Site
}

/** What an app reads to find out where it gets tokens for a resource of ours (RFC 9728). */
export function resourceMetadata({ baseUrl, site }: MetadataDeps, path: '' | '/mcp' | '/api/v1') {
  return {
    resource: `${baseUrl}${path}`,
    authorization_servers: [baseUrl],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: site.name,
    resource_documentation: `${baseUrl}/docs/mcp`,
  }
}

/** What this server is as an authorization server (RFC 8414). */
export function serverMetadata({ baseUrl }: Pick<MetadataDeps, 'baseUrl'>) {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    registration_endpoint: `${baseUrl}/oauth/register`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${baseUrl}/docs/mcp`,
  }
}
