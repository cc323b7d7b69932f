import { DEFAULT_SETTINGS, type Page, type Source, searchTextOf } from '../../model/page/index.ts'
import type { PagesTable } from '../../platform/db/tables.ts'
import { isListed } from './rules.ts'

/** What the columns say beside the settings is for queries alone. */
export function rowOf(page: Page): PagesTable {
  const { settings, ...columns } = page
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

/** A setting that was added after the row was written has its default. */
export function pageOf({
  settings,
  source,
  is_listed: _listed,
  access: _access,
  expires_at: _expires,
  search_text: _text,
  importing_at: _importing,
  ...columns
}: PagesTable): Page {
  return {
    ...columns,
    source: source as Source,
    settings: { ...DEFAULT_SETTINGS, ...JSON.parse(settings) },
  }
}
