/** Which files of a folder or a zip are those of a deck. Browser-safe. */

/** The hidden file or folder in a path, or what tools keep. Null for a file of the deck. */
export function leftOutPart(path: string): { path: string; isHidden: boolean } | null {
  const parts = path.split('/')
  // Builds of Expo keep the fonts and images of packages in assets/node_modules.
  const modules = parts.indexOf('node_modules')
  const installed = parts[modules - 1] === 'assets' ? -1 : modules
  const at = parts.findIndex(
    (part, place) => part.startsWith('.') || part === '__MACOSX' || place === installed,
  )
  if (at < 0) return null
  const folder = parts.slice(0, at + 1).join('/')
  return { path: at + 1 < parts.length ? `${folder}/` : path, isHidden: parts[at]!.startsWith('.') }
}

/** The path of an entry of a zip: some programs write `./a` and `a//b`. */
export function pathInZip(name: string): string {
  return name.replace(/(^|\/)(?:\.?\/)+/g, '$1')
}

/**
 * The files of a zip as programs unpack it: of those with one path, the last; and of those whose
 * paths differ in their Unicode form alone, one where they have the same bytes. The one folder that
 * all are in, which zipping a folder adds, is not part of their addresses.
 *
 * @returns also what removes that folder from the paths of other entries
 */
export function filesOfZip<F extends { path: string; checksum: number }>(entries: readonly F[]) {
  const lastEntries = new Map(entries.map((entry) => [entry.path, entry])).values()
  const keyOf = ({ path, checksum }: F) => `${checksum} ${path.normalize('NFC')}`
  const files = [...new Map(Array.from(lastEntries, (entry) => [keyOf(entry), entry])).values()]
  const folder = /^[^/]+\//.exec(files[0]?.path ?? '')?.[0] ?? ''
  const outer = files.every(({ path }) => path.startsWith(folder)) ? folder : ''
  const inner = <P extends { path: string }>(file: P): P =>
    file.path.startsWith(outer) ? { ...file, path: file.path.slice(outer.length) } : file
  return { files: files.map(inner), inner }
}
