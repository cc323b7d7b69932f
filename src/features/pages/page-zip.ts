/** The zip of a deck. This module is loaded at the first request for one. */
import { writeZip } from '../../platform/zip.ts'
import type { Content, ManifestFile } from '../content/index.ts'

/** Types whose bytes are compressed already. */
const PACKED = /^(image\/(?!svg|bmp|x-icon)|video\/|audio\/(?!wav)|font\/woff|application\/pdf)/

/** One file is open at a time, and read only as fast as the archive is sent. */
export function zipOf(
  content: Pick<Content, 'pieces'>,
  files: ManifestFile[],
): AsyncGenerator<Uint8Array> {
  return writeZip(async (zip) => {
    for (const { path, hash, mime } of files) {
      const open = async () => content.pieces(hash, zip.signal)
      zip.addLazily(path, open, { isPacked: PACKED.test(mime) })
    }
  })
}
