import { join } from 'node:path'
import type { Assets } from '../http/kit/assets.ts'

const MODULES = join(import.meta.dir, '../../node_modules')

/** Stands in for the built web files: their names are enough for a test of the service. */
export const NO_ASSETS: Assets = {
  url: (name) => `/~/${name}`,
  path: pathOf,
  has: () => true,
  text: () => '',
  respond: () => null,
}

/** The file of a package that the build copies. */
function pathOf(name: string): string {
  const [, face] = /^fonts\/(.+?)-(?:latin|vietnamese)/.exec(name) ?? []
  if (face) return join(MODULES, '@fontsource-variable', face, name.replace('fonts/', 'files/'))
  return join(MODULES, name.replace('pdfjs/', 'pdfjs-dist/'))
}
