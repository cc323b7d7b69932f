/** A result that is a file instead of JSON. It is streamed as it is generated. */
export class Download {
  readonly filename: string
  /** The content type, with its charset. */
  readonly mime: string
  readonly chunks: AsyncIterable<string>

  constructor(file: { filename: string; mime: string; chunks: AsyncIterable<string> }) {
    this.filename = file.filename
    this.mime = file.mime
    this.chunks = file.chunks
  }
}
