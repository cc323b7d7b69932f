/** The tables of the server’s own work. */
export interface OperationTables {
  /** Work that one process at a time does. */
  leases: {
    name: string
    /** Identifies the run of the work that has the lease. */
    holder: string
    /** In milliseconds since the epoch, by the clock of the database. */
    ends_ms: number
  }
  /** On PostgreSQL: which pages changed in the last minutes. */
  page_changes: {
    /** The transaction that changed it. */
    xid: number
    slug: string
    /** In milliseconds since the epoch, by the clock of the database. */
    changed_ms: number
  }
  throttles: {
    key: string
    /** The end of the window in milliseconds since the epoch. */
    ends_ms: number
    count: number
  }
}

export type ThrottlesTable = OperationTables['throttles']
