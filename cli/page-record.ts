import { statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { PAGE_RECORD_FILE } from '../src/client/content/deck-builder.ts'
import { isRecord, readJson, writeJson } from './json-files.ts'
import { CommandFailed } from './output.ts'

export interface RecordedPage {
  id: string
  url: string
}
/** `{ "http://localhost:8787": { "report.html": { "id": "pg_…", "url": "…" } } }` */
type PageRecords = Record<string, Record<string, RecordedPage>>

/**
 * Reads and writes which page a path was published as on a server. The record is in a JSON file
 * beside a file or inside a folder, works after the path is deleted, and contains no key.
 */
export function openPageRecord(path: string, server: string) {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  const name = isFolder ? '.' : basename(path)
  const file = join(isFolder ? path : dirname(path), PAGE_RECORD_FILE)

  const read = () => readRecords(file)
  function write(page: RecordedPage | undefined): void {
    const records = read()
    const { [name]: _, ...others } = records[server] ?? {}
    const pages = page === undefined ? others : { ...others, [name]: page }
    writeJson(file, { ...records, [server]: pages }, 0o644)
  }

  return {
    find: (): RecordedPage | undefined => ownProperty(ownProperty(read(), server), name),
    save: ({ id, url }: RecordedPage) => write({ id, url }),
    remove: () => write(undefined),
  }
}
/** The entries of the record in a folder: its files, and the folder itself as `.`. */
export function recordedPaths(folder: string, server: string) {
  const pages = ownProperty(readRecords(join(folder, PAGE_RECORD_FILE)), server) ?? {}
  return Object.entries(pages).map(([path, page]) => ({ path, ...page }))
}

function readRecords(file: string): PageRecords {
  const value = readJson(file) ?? {}
  if (isPageRecords(value)) return value
  throw new CommandFailed(`${file} is not a file that handbill wrote: mend it, or move it away.`)
}

export type PageRecord = ReturnType<typeof openPageRecord>

/** Reads an own property: a path can be named like an inherited one, such as `constructor`. */
function ownProperty<T>(record: Record<string, T> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
}

function isPageRecords(value: unknown): value is PageRecords {
  return (
    isRecord(value) &&
    Object.values(value).every(
      (pages) => isRecord(pages) && Object.values(pages).every(isRecordedPage),
    )
  )
}
function isRecordedPage(value: unknown): value is RecordedPage {
  return isRecord(value) && typeof value.id === 'string' && typeof value.url === 'string'
}
