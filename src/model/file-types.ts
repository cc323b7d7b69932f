/** Extensions of files that can be a page, besides HTML. */
export const FILE_EXTENSIONS = ['pdf', 'png', 'jpg', 'jpeg', 'webp', 'gif'] as const
export type FileExtension = (typeof FILE_EXTENSIONS)[number]

/** The type of a file by its first bytes. */
export type Signature = 'pdf' | 'png' | 'jpg' | 'gif' | 'webp'

const STARTS: [Signature, starts: RegExp][] = [
  ['pdf', /^%PDF-/],
  ['png', /^\x89PNG\r\n\x1a\n/],
  ['jpg', /^\xff\xd8\xff/],
  ['gif', /^GIF8[79]a/],
  ['webp', /^RIFF[\s\S]{4}WEBP/],
]

/** @returns null for bytes of any other type */
export function signatureOf(bytes: Uint8Array): Signature | null {
  const head = String.fromCharCode(...bytes.subarray(0, 16))
  return STARTS.find(([, starts]) => starts.test(head))?.[0] ?? null
}

/** Whether a PDF starts at once or, as viewers allow it, a little later. */
export function hasPdfHeader(bytes: Uint8Array): boolean {
  return String.fromCharCode(...bytes.subarray(0, 1024)).includes('%PDF-')
}

const SOURCE_CODE = /\.(?:tsx?|mts|jsx|vue|svelte|astro|scss|sass|less)$/i

/** Whether a build turns the file into scripts and styles. Browsers do not run it as it is. */
export function isSourceCode(path: string): boolean {
  return SOURCE_CODE.test(path)
}
