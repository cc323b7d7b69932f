/** Pictures that say so many pixels, and have none of them. */
export const sized = {
  png(width: number, height: number): Buffer {
    const bytes = Buffer.alloc(40)
    bytes.write('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR', 'latin1')
    bytes.writeUInt32BE(width, 16)
    bytes.writeUInt32BE(height, 20)
    return bytes
  },
  webp(width: number, height: number): Buffer {
    const bytes = Buffer.alloc(40)
    bytes.write('RIFF\0\0\0\0WEBPVP8X', 'latin1')
    bytes.writeUIntLE(width - 1, 24, 3)
    bytes.writeUIntLE(height - 1, 27, 3)
    return bytes
  },
  /** With a segment before that of the frame. */
  jpeg(width: number, height: number): Buffer {
    const bytes = Buffer.from('ffd8ffe000040000ffc2000b0800000000010000', 'hex')
    bytes.writeUInt16BE(height, 13)
    bytes.writeUInt16BE(width, 15)
    return bytes
  },
}
