export type { Param } from './grants.ts'
export { createOAuth, type OAuth, oauthOperations } from './oauth.ts'
export {
  type AuthorizationRequest,
  type Client,
  CONNECTION_DAYS,
  MAX_REQUEST,
  metadataUrl,
  OAuthError,
  originOf,
  placeOf,
  redirectTo,
} from './rules.ts'
