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

/**
 * The one folder that all files are in, with its slash, which zipping a folder adds: it is not part
 * of their addresses. Empty where there is none.
 */
export function outerFolder(paths: readonly string[]): string {
  const outer = /^[^/]+\//.exec(paths[0] ?? '')?.[0] ?? ''
  return paths.every((path) => path.startsWith(outer)) ? outer : ''
}
