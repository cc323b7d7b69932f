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
}

export type PageLinksTable = LinkTables['page_links']
