/** An answer that is a file rather than JSON, sent as it is made. */
export class Download {
  readonly filename: string
  /** With its charset. */
  readonly mime: string
  readonly chunks: AsyncIterable<string>

  constructor(file: { filename: string; mime: string; chunks: AsyncIterable<string> }) {
    this.filename = file.filename
    this.mime = file.mime
    this.chunks = file.chunks
  }
}
