import type { Timestamp } from '../clock.ts'

/** The tables of apps that act for an account. */
export interface OAuthTables {
  /** Apps that registered themselves. */
  oauth_clients: {
    id: string
    name: string | null
    /** A list in JSON. */
    redirect_uris: string
    /** When somebody allowed it something, or its tokens were renewed. */
    used_at: Timestamp | null
    expires_at: Timestamp
  }
  oauth_codes: {
    hash: string
    account_id: string
    client_id: string
    client_name: string | null
    redirect_uri: string
    /** Of the verifier that the app sends with the code. */
    challenge: string
    scopes: string
    used_at: Timestamp | null
    /** What the code was used for. */
    key_id: string | null
    expires_at: Timestamp
  }
  /** Access and refresh tokens. */
  oauth_tokens: {
    hash: string
    key_id: string
    scopes: string
    /** Of a refresh token. */
    used_at: Timestamp | null
    expires_at: Timestamp
  }
}

export type OAuthClientsTable = OAuthTables['oauth_clients']
export type OAuthCodesTable = OAuthTables['oauth_codes']
export type OAuthTokensTable = OAuthTables['oauth_tokens']
