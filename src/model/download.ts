/** A result that is a text file instead of JSON. It is streamed as it is generated. */
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

/** A result that is a file of bytes, sent as they are generated and as they are. */
export class ByteDownload {
  readonly filename: string
  readonly mime: string
  readonly bytes: AsyncIterable<Uint8Array>

  constructor(file: { filename: string; mime: string; bytes: AsyncIterable<Uint8Array> }) {
    this.filename = file.filename
    this.mime = file.mime
    this.bytes = file.bytes
  }
}

/** A body that is read while it is sent. Only the part that the response needs is opened. */
export interface OpenableBody {
  sizeBytes: number
  /** Opens the bytes from `start` up to, and without, `end`. */
  open(range: { start: number; end: number }, signal?: AbortSignal): Promise<Blob>
}

/** A result that is a stored file instead of JSON. It is sent whole or in ranges. */
export class StoredFile {
  readonly filename: string
  readonly mime: string
  /** With its quotes. */
  readonly etag: string
  readonly body: Uint8Array | OpenableBody

  constructor(file: Pick<StoredFile, 'filename' | 'mime' | 'etag' | 'body'>) {
    this.filename = file.filename
    this.mime = file.mime
    this.etag = file.etag
    this.body = file.body
  }
}
