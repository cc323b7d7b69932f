import { statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isRecord, readJson, writeJson } from './files.ts'
import { CommandFailed } from './output.ts'

export interface Remembered {
  id: string
  url: string
}
/** `{ "http://localhost:8787": { "report.html": { "id": "pg_…", "url": "…" } } }` */
type Memory = Record<string, Record<string, Remembered>>

export const MEMORY_FILE = '.handbill.json'

/**
 * Which page a path was published as at a server, whether or not it still lies there. It is kept
 * beside a file and inside a folder, and holds no key.
 */
export function memoryOf(path: string, server: string) {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  const source = isFolder ? '.' : basename(path)
  const file = join(isFolder ? path : dirname(path), MEMORY_FILE)

  function read(): Memory {
    const value = readJson(file) ?? {}
    if (isMemory(value)) return value
    throw new CommandFailed(`${file} is not what handbill wrote: mend it, or move it away.`)
  }
  function change(page: Remembered | undefined): void {
    const memory = read()
    const { [source]: _, ...others } = memory[server] ?? {}
    const pages = page === undefined ? others : { ...others, [source]: page }
    writeJson(file, { ...memory, [server]: pages }, 0o644)
  }

  return {
    find: (): Remembered | undefined => ownOf(ownOf(read(), server), source),
    keep: ({ id, url }: Remembered) => change({ id, url }),
    forget: () => change(undefined),
  }
}
export type PathMemory = ReturnType<typeof memoryOf>

/** A path may have the name of something that every object inherits. */
function ownOf<T>(record: Record<string, T> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
}

function isMemory(value: unknown): value is Memory {
  return (
    isRecord(value) &&
    Object.values(value).every((pages) => isRecord(pages) && Object.values(pages).every(isPage))
  )
}
function isPage(value: unknown): value is Remembered {
  return isRecord(value) && typeof value.id === 'string' && typeof value.url === 'string'
}
