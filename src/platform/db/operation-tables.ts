/** The tables of the server’s own work. */
export interface OperationTables {
  leases: LeasesTable
  page_changes: PageChangesTable
  throttles: ThrottlesTable
}

export interface ThrottlesTable {
  key: string
  /** The end of the window in milliseconds since the epoch. */
  ends_ms: number
  count: number
}

/** On PostgreSQL: which pages changed in the last minutes. */
export interface PageChangesTable {
  /** The transaction that changed it. */
  xid: number
  slug: string
  /** In milliseconds since the epoch, by the clock of the database. */
  changed_ms: number
}

/** Work that one process at a time does. */
export interface LeasesTable {
  name: string
  /** Identifies the run of the work that has the lease. */
  holder: string
  /** In milliseconds since the epoch, by the clock of the database. */
  ends_ms: number
}
