import { basename, dirname, join, resolve } from 'node:path'
import { isRecord, readJson, writeJson } from './files.ts'
import { CommandFailed } from './output.ts'

export interface Remembered {
  id: string
  url: string
}
/** `{ "http://localhost:8787": { "report.html": { "id": "pg_…", "url": "…" } } }` */
type Memory = Record<string, Record<string, Remembered>>

const NAME = '.handbill.json'

/** Which page a path was published as. It lies beside a file and inside a folder. Holds no key. */
export function memoryOf(
  path: string,
  { is_folder, server }: { is_folder: boolean; server: string },
) {
  const source = is_folder ? '.' : basename(path)
  const file = join(is_folder ? resolve(path) : dirname(resolve(path)), NAME)

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
    find: (): Remembered | undefined => read()[server]?.[source],
    keep: ({ id, url }: Remembered) => change({ id, url }),
    forget: () => change(undefined),
  }
}
export type PathMemory = ReturnType<typeof memoryOf>

function isMemory(value: unknown): value is Memory {
  return (
    isRecord(value) &&
    Object.values(value).every((pages) => isRecord(pages) && Object.values(pages).every(isPage))
  )
}
function isPage(value: unknown): value is Remembered {
  return isRecord(value) && typeof value.id === 'string' && typeof value.url === 'string'
}
