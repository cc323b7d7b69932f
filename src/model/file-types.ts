/** Extensions of files that can be a page, besides HTML. */
export const FILE_EXTENSIONS = ['pdf', 'png', 'jpg', 'jpeg', 'webp', 'gif'] as const
export type FileExtension = (typeof FILE_EXTENSIONS)[number]

/** Extensions of files that a deck can contain, besides HTML. */
export const ASSET_EXTENSIONS = [
  'png',
  'jpg',
  'jpeg',
  'webp',
  'gif',
  'svg',
  'ico',
  'css',
  'js',
  'mjs',
  'json',
  'woff',
  'woff2',
  'ttf',
  'otf',
  'txt',
  'md',
  'csv',
  'xml',
  'geojson',
  'map',
  'webmanifest',
  'wasm',
  'avif',
  'mp4',
  'webm',
  'mp3',
  'wav',
  'pdf',
] as const

const SOURCE_CODE = /\.(?:tsx?|mts|jsx|vue|svelte|astro|scss|sass|less)$/i

/** Whether a build turns the file into scripts and styles. Browsers do not run it as it is. */
export function isSourceCode(path: string): boolean {
  return SOURCE_CODE.test(path)
}
