import {
  DEFAULT_SETTINGS,
  type Page,
  type PageSettings,
  type Source,
  searchTextOf,
} from '../../model/page/index.ts'
import type { Timestamp } from '../../platform/clock.ts'
import type { PagesTable } from '../../platform/db/tables.ts'
import type { ListInput } from './contract.ts'
import { isListed } from './rules.ts'

/** A row as it is read: with what its account says about it. */
export type PageRow = PagesTable & Pick<Page, 'suspended_at'>

/** Columns with copies of settings are for queries only. */
export function rowOf(page: Page): PagesTable {
  const { settings, suspended_at, ...columns } = page
  return {
    ...columns,
    settings: JSON.stringify(settings),
    is_listed: isListed(page) ? 1 : 0,
    access: settings.access,
    expires_at: settings.expires_at,
    search_text: searchTextOf(page),
    importing_at: null,
  }
}

export function pageOf(row: PageRow): Page {
  return pageWith(row, settingsOf(row.settings))
}

/** Most pages of an account have the same settings, which are parsed once. */
export function pagesOf(rows: readonly PageRow[]): Page[] {
  const parsed = new Map<string, PageSettings>()
  return rows.map((row) => {
    const settings = parsed.get(row.settings) ?? settingsOf(row.settings)
    parsed.set(row.settings, settings)
    return pageWith(row, settings)
  })
}

/** A setting that was added after the row was written has its default. */
function settingsOf(text: string): PageSettings {
  return { ...DEFAULT_SETTINGS, ...JSON.parse(text) }
}

function pageWith(row: PageRow, settings: PageSettings): Page {
  return {
    id: row.id,
    account_id: row.account_id,
    slug: row.slug,
    title: row.title,
    settings,
    password_sealed: row.password_sealed,
    access_epoch: row.access_epoch,
    source: row.source as Source,
    draft_id: row.draft_id,
    published_id: row.published_id,
    published_at: row.published_at,
    taken_down_at: row.taken_down_at,
    taken_down_reason: row.taken_down_reason,
    suspended_at: row.suspended_at,
    revision: row.revision,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** Which pages a list has, and in which order. */
export interface PageQuery extends Pick<ListInput, 'access' | 'state' | 'kind'> {
  /** Null: of all accounts, for the operator. */
  account_id: string | null
  /** Only those that are taken down, or only others. */
  taken_down?: boolean | undefined
  sort: NonNullable<ListInput['sort']>
  words: readonly string[]
  order: 'asc' | 'desc'
  limit: number
  offset: number
  /** The time at which the states of pages are asked for. */
  now: Timestamp
}
