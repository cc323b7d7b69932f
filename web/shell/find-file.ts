import { percentDecoded } from '../../src/model/page-name.ts'

/** The path below the page's files that an address at the root of this host names; else null. */
export type FindFile = (url: URL) => string | null

/**
 * Lets a page name its files from the root of the host, as on a plain server, although they stand
 * below `/p/{slug}`. Other addresses of this host, such as those of other pages, stay as they are.
 *
 * @param paths of the files of a page in the sandbox
 */
export function createFindFile(paths: readonly string[]): FindFile {
  const files = new Set(paths)
  return ({ origin, pathname, search, hash }) => {
    if (origin !== location.origin || files.size === 0) return null
    const encoded = pathname.slice(1)
    const path = percentDecoded(encoded)?.normalize('NFC') ?? null
    if (path === null) return null
    // The server knows which file is the first.
    if (path === '') return search + hash
    const endings = path.endsWith('/') ? ['index.html'] : ['', '/index.html', '.html']
    const ending = endings.find((each) => files.has(path + each))
    return ending === undefined ? null : encoded + ending + search + hash
  }
}
