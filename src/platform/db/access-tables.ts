import type { Timestamp } from '../clock.ts'

export interface LinkTables {
  /** Links of a page, each with the name of whom it was given to. */
  page_links: {
    id: string
    page_id: string
    account_id: string
    /**
     * In the address. It is stored as it is, like the slug of a page: the owner copies it again,
     * and it opens nothing that the slug does not.
     */
    token: string
    label: string
    email: string | null
    note: string | null
    expires_at: Timestamp | null
    max_views: number | null
    /** When its owner switched it off. */
    off_at: Timestamp | null
    /** Views by it, which the page's views include. */
    opens: number
    /** When a browser asked for more than the document, which mail scanners do not. */
    first_opened_at: Timestamp | null
    last_opened_at: Timestamp | null
    /** When the newest mail with it was made. */
    sent_at: Timestamp | null
    /** When that mail was given up: refused, or tried for days. */
    bounced_at: Timestamp | null
    created_at: Timestamp
  }
  /** Browsers that showed a page by a link, and addresses that were confirmed by who came by it. */
  link_visitors: {
    link_id: string
    /** A random id that the browser has for this page alone, or the address. */
    visitor: string
    /** Null of a browser. */
    email: string | null
    first_at: Timestamp
    last_at: Timestamp
    /** Of a browser: the time that was measured. */
    seconds: number
    /** The highest page of a PDF, and the most sections of one view, where it was measured. */
    last_sheet: number | null
    sections: number | null
  }
  /** Reminders of a page to one address. */
  link_reminders: {
    page_id: string
    /** Derived from the address, as below. */
    recipient: string
    count: number
    last_at: Timestamp
  }
  /** Who wants no more links of an account by mail. */
  link_mail_stops: {
    account_id: string
    recipient: string
  }
}

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
