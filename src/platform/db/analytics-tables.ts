import type { Timestamp } from '../clock.ts'

/** The tables of what is counted about the views of pages. */
export interface AnalyticsTables {
  view_counters: {
    page_id: string
    /** The owner of the page. */
    account_id: string
    views: number
    max_views: number | null
    /** How many views the last counting statement admitted, for that statement to return. */
    granted: number
  }
  view_hours: {
    page_id: string
    /** Hours since the epoch. */
    hour: number
    views: number
    /** Those of the hour's viewers who had not viewed the page before on this day, in UTC. */
    viewers: number
  }
  /** How much of a file that views are counted in has been added to the counters. */
  view_moves: {
    /** The id of the file. */
    file: string
    /** The last batch that was added. */
    batch: number
  }
  /** Counts of one fact about a page's views, by day. Rows of two facets cannot be joined. */
  view_facets: {
    page_id: string
    /** Days since the epoch, in UTC. */
    day: number
    /** What is counted: `referrer`, `browser`, `refusal`, … */
    facet: string
    value: string
    count: number
    /** Seconds that were spent there, for what time is measured of. */
    seconds: number
  }
  /** One row: the salt of the hashes in `daily_viewers`. The next day's salt overwrites it. */
  view_salts: {
    id: number
    day: number
    salt: string
  }
  /** Who has viewed a page today, as hashes. Rows of earlier days are deleted. */
  daily_viewers: {
    page_id: string
    day: number
    viewer: string
  }
  /** Those whose address a page's own gate has confirmed. */
  confirmed_viewers: {
    page_id: string
    email: string
    views: number
    first_at: Timestamp
    last_at: Timestamp
    /** The content of the last view. */
    manifest_id: string | null
    /** The time that was measured of their views. */
    seconds: number
    /** The highest page number of a PDF that they have reached, where it was measured. */
    last_sheet: number | null
    /** When the row was imported; null once this server has confirmed the address. */
    imported_at: Timestamp | null
  }
  /** The time of views that may still grow: of today and yesterday. Older rows are deleted. */
  measured_views: {
    page_id: string
    day: number
    /** Identifies the view, not the viewer. */
    view: string
    seconds: number
    /** JSON: seconds by part, a file of a deck or a page of a PDF. */
    parts: string
  }
}

export type ViewCountersTable = AnalyticsTables['view_counters']
export type ViewHoursTable = AnalyticsTables['view_hours']
export type ConfirmedViewersTable = AnalyticsTables['confirmed_viewers']
