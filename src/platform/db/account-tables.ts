import type { Timestamp } from '../clock.ts'

/** Accounts, and the ways into them. */
export interface AccountTables {
  accounts: {
    id: string
    email: string
    name: string | null
    plan: string
    created_at: Timestamp
    is_operator: number
    is_guest: number
    /** 0: none of the account's pages sends its owner mails, whatever the page's settings. */
    page_mails: number
    /** When its owner deleted it. The row goes once all its pages are deleted. */
    deleted_at: Timestamp | null
    /** When the operator suspended it: nothing of it is served, and nobody signs in to it. */
    suspended_at: Timestamp | null
    /** The bytes of all kept versions of all its pages. */
    stored_bytes: number
  }
  api_keys: {
    id: string
    account_id: string
    name: string | null
    hash: string
    /** The first 7 and last 4 characters, by which the owner recognizes the key. */
    hint: string
    created_at: Timestamp
    last_used_at: Timestamp | null
    revoked_at: Timestamp | null
  }
  setup_links: {
    hash: string
    created_at: Timestamp
    expires_at: Timestamp
  }
  sessions: {
    id: string
    token_hash: string
    account_id: string
    user_agent: string
    created_at: Timestamp
    last_seen_at: Timestamp
    expires_at: Timestamp
  }
  /** Who an account is at a provider of single sign-on. */
  identities: {
    id: string
    account_id: string
    issuer: string
    /** The provider's id of the person, which stays when an address changes. */
    subject: string
    /** The verified address that the provider last named; null: none. */
    email: string | null
    created_at: Timestamp
    last_used_at: Timestamp
  }
}

export type AccountsTable = AccountTables['accounts']
export type ApiKeysTable = AccountTables['api_keys']
export type SetupLinksTable = AccountTables['setup_links']
export type SessionsTable = AccountTables['sessions']
export type IdentitiesTable = AccountTables['identities']
