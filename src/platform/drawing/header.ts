/** The format of an image and how large it is, by its header: nothing is decoded. */
export function readHeader(image: Uint8Array): Promise<Bun.Image.Metadata> {
  return new Bun.Image(image).metadata()
}
