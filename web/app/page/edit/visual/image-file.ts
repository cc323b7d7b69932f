import { type Signature, signatureOf } from '../../../../../src/model/file-types.ts'
import { pathInDeck } from '../../../../../src/model/markdown/source.ts'
import { besideLimit, type Limits } from '../../../../../src/model/plan.ts'
import { type Draft, pathProblem, type TextFile } from '../draft.ts'

/** Inside a page, which is read and saved as a whole with each change. */
const MAX_INLINE_BYTES = 2 * 1024 * 1024
const TYPES: Partial<Record<Signature, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
}

/** Larger ones are not even read. */
const MAX_READ_BYTES = 50 * 1024 * 1024
/** Of an image that is made smaller, in pixels. */
const MAX_SIDE = 2000
const QUALITY = 0.85

export interface ImageFile {
  name: string
  blob: Blob
  extension: Signature
  ratio: number
  /** Whether it was too large, and has fewer pixels now. */
  isSmaller: boolean
}

/** An image, made smaller where it is too large for the page. @throws where it cannot be one */
export async function readImage(file: File, draft: Draft, limits: Limits): Promise<ImageFile> {
  const { name, size } = file
  const extension = signatureOf(new Uint8Array(await file.slice(0, 16).arrayBuffer()))
  const type = extension && TYPES[extension]
  if (!extension || !type) {
    throw new Error(`${name} is no PNG, JPG, WebP or GIF image: save it as one of these.`)
  }
  const most = mostBytes(draft, limits)
  const isTooLarge = size > most
  if (isTooLarge && (extension === 'gif' || size > MAX_READ_BYTES)) throw tooLarge(file, most)
  const blob = file.slice(0, size, type)
  const bitmap = await createImageBitmap(blob).catch(() => {
    throw new Error(`${name} cannot be shown: it is damaged or not complete.`)
  })
  const ratio = bitmap.width / bitmap.height
  if (!isTooLarge) return { name, blob, extension, ratio, isSmaller: false }
  const smaller = await encode(bitmap, extension === 'jpg' ? 'image/jpeg' : 'image/webp')
  if (smaller === null || smaller.size > most) throw tooLarge(file, most)
  const [format] = Object.entries(TYPES).find(([, mime]) => mime === smaller.type)!
  return { name, blob: smaller, extension: format as Signature, ratio, isSmaller: true }
}

function tooLarge({ name, size }: File, most: number): Error {
  const { size: bytes, limit } = besideLimit(size, most)
  return new Error(`${name} is ${bytes}; here an image may have ${limit}: save it smaller.`)
}

function encode(bitmap: ImageBitmap, type: string): Promise<Blob | null> {
  const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, type, QUALITY))
}

function mostBytes({ kind, files }: Draft, limits: Limits): number {
  const most = Math.min(limits.asset_bytes, limits.file_bytes)
  if (kind === 'bundle') return most
  // As text it takes four bytes for three.
  const rest = limits.file_bytes - new Blob([files[0]!.text]).size
  return Math.max(0, Math.min(most, MAX_INLINE_BYTES, Math.floor(rest * 0.7)))
}

/** The asset that an image of a deck's page shows; null where it is none of the deck. */
export function assetOf(draft: Draft, page: string, src: string): string | null {
  const path = pathInDeck(src, page)
  return draft.assets.some((one) => one.path === path) ? path : null
}

/** A path that no file has, beside the asset or the page in whose place the image is shown. */
export function freePath(draft: Draft, beside: string, { name, extension }: ImageFile): string {
  const folder = beside.slice(0, beside.lastIndexOf('/') + 1)
  const stem = name
    .replace(/\.[^.]*$/, '')
    .normalize('NFKD')
    .replace(/[^\w-]+/g, '-')
  const clean = stem.replace(/^[-_]+|-+$/g, '').slice(0, 60) || 'image'
  for (let no = 1; ; no += 1) {
    const path = `${folder}${clean}${no === 1 ? '' : `-${no}`}.${extension}`
    if (pathProblem(draft, path, null) === null) return path
  }
}

/** The address of an asset as a page of the deck writes it. */
export function addressFrom(page: string, asset: string): string {
  const [from, to] = [page.split('/').slice(0, -1), asset.split('/')]
  let same = 0
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same += 1
  const up = from.slice(same).map(() => '..')
  return [...up, ...to.slice(same).map(encodeURIComponent)].join('/')
}

/** Whether the name of an asset stands anywhere in these files. */
export function isNamed(path: string, files: readonly TextFile[]): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return files.some(({ text }) => text.includes(name) || text.includes(encodeURIComponent(name)))
}
