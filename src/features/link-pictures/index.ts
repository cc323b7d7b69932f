import { fontPaths } from '../../platform/drawing/fonts.ts'
import { sha256 } from '../../platform/ids.ts'
import { createSingleFlight, loadOnce } from '../../platform/promises.ts'
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
/** How many pictures are drawn at once, and may be drawn or wait: the threads have other work. */
const AT_ONCE = 2
const MOST = 20

/** Draws the pictures that chat programs show beside a link, and caches the last ones. */
export function createLinkPictures({ threads, pathOf }: LinkPictureDeps) {
  const pictures = createSingleFlight<LinkPicture>({
    maxBytes: CACHE_BYTES,
    sizeOf: ({ png }) => png.byteLength,
    atOnce: AT_ONCE,
    most: MOST,
  })

  async function draw(texts: PictureTexts): Promise<LinkPicture> {
    const input: PictureToDraw = { ...texts, ...fontPaths(pathOf) }
    const makeInput = async () => ({ input, transfer: [] })
    const { png } = (await threads.run('drawLinkPicture', makeInput)) as Pick<LinkPicture, 'png'>
    return { png, etag: `"${sha256(png).slice(0, 22)}"` }
  }

  return {
    /** From memory; undefined where it has to be drawn. */
    cached: (texts: PictureTexts): LinkPicture | undefined => pictures.cached(keyOf(texts)),
    /** Null while too many others are drawn. */
    draw: (texts: PictureTexts) => pictures.get(keyOf(texts), () => draw(texts)),
  }
}
export type LinkPictures = ReturnType<typeof createLinkPictures>

function keyOf({ title, host, owner, accent }: PictureTexts): string {
  return JSON.stringify([title, host, owner, accent])
}

export function createLinkPictureTasks() {
  const loadDrawing = loadOnce(async () => (await import('./draw.ts')).createDrawing())
  return {
    /** The libraries take memory and time, so the first picture loads them. */
    drawLinkPicture: async (input: PictureToDraw) => (await loadDrawing())(input),
  }
}
