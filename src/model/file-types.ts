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
] as const
export type AssetExtension = (typeof ASSET_EXTENSIONS)[number]
