/** Which files of a folder or a zip are those of a deck. Browser-safe. */

/** Why a file is left out: hidden files, and what tools keep beside them. Null if it is not. */
export function whyLeftOut(path: string): 'hidden' | 'of_tools' | null {
  const parts = path.split('/')
  if (parts.some((part) => part.startsWith('.'))) return 'hidden'
  // Builds of Expo keep the fonts and images of packages in assets/node_modules.
  const at = parts.indexOf('node_modules')
  const isInstalled = at >= 0 && parts[at - 1] !== 'assets'
  return isInstalled || parts.includes('__MACOSX') ? 'of_tools' : null
}

/**
 * The one folder that all files are in, with its slash, which zipping a folder adds: it is not part
 * of their addresses. Empty where there is none.
 */
export function outerFolder(paths: readonly string[]): string {
  const outer = /^[^/]+\//.exec(paths[0] ?? '')?.[0] ?? ''
  return paths.every((path) => path.startsWith(outer)) ? outer : ''
}
