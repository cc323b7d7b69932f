import { LRUCache } from 'lru-cache'
import { sha256 } from '../../platform/secrets.ts'
import type { Threads } from '../../platform/threads.ts'
import type { PictureToDraw } from './draw.ts'

export interface LinkPicture {
  png: Uint8Array<ArrayBuffer>
  etag: string
}

export interface LinkPictureDeps {
  threads: Threads
  /** The path of a built web file, by its logical name. */
  pathOf(name: string): string
}

/** What a picture shows. The same texts make the same picture. */
export type PictureTexts = Pick<PictureToDraw, 'title' | 'host' | 'owner' | 'accent'>

const CACHE_BYTES = 8 * 1024 * 1024
/** How many pictures may be drawn or wait at once: the threads have other work, too. */
const MAX_DRAWN = 20

/** The fonts of the pictures, by preference. Browsers get the same files. */
const FONTS = {
  serif: [
    'fonts/newsreader-latin-wght-normal.woff2',
    'fonts/newsreader-latin-ext-wght-normal.woff2',
    'fonts/newsreader-vietnamese-wght-normal.woff2',
  ],
  sans: [
    'fonts/instrument-sans-latin-wght-normal.woff2',
    'fonts/instrument-sans-latin-ext-wght-normal.woff2',
  ],
  /** Has Greek and Cyrillic letters. */
  fallback: 'pdfjs/standard_fonts/LiberationSans-Regular.ttf',
}

/** Draws the pictures that chat programs show beside a link, and caches the last ones. */
export function createLinkPictures({ threads, pathOf }: LinkPictureDeps) {
  const cache = new LRUCache<string, LinkPicture>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ png }) => png.byteLength,
  })
  const drawn = new Map<string, Promise<LinkPicture>>()

  async function draw(key: string, texts: PictureTexts): Promise<LinkPicture> {
    const fallback = pathOf(FONTS.fallback)
    const input: PictureToDraw = {
      ...texts,
      serif: [...FONTS.serif.map(pathOf), fallback],
      sans: [...FONTS.sans.map(pathOf), fallback],
    }
    const makeInput = async () => ({ input, transfer: [] })
    const result = await threads.run('drawLinkPicture', makeInput)
    const { png } = result as Pick<LinkPicture, 'png'>
    const picture = { png, etag: `"${sha256(png).slice(0, 22)}"` }
    cache.set(key, picture)
    return picture
  }

  return {
    /** From memory; undefined where it has to be drawn. */
    cached: (texts: PictureTexts): LinkPicture | undefined => cache.get(keyOf(texts)),
    /** Null while too many others are drawn. */
    async draw(texts: PictureTexts): Promise<LinkPicture | null> {
      const key = keyOf(texts)
      const running = drawn.get(key)
      if (running !== undefined) return running
      if (drawn.size >= MAX_DRAWN) return null
      const picture = draw(key, texts).finally(() => drawn.delete(key))
      drawn.set(key, picture)
      return picture
    },
  }
}
export type LinkPictures = ReturnType<typeof createLinkPictures>

function keyOf({ title, host, owner, accent }: PictureTexts): string {
  return JSON.stringify([title, host, owner, accent])
}
