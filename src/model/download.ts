/**
 * A result that is a file instead of JSON. It is sent as it is generated: compressed where it is
 * text, else as it is.
 */
export class Download {
  readonly filename: string
  /** The content type, with the charset of a text. */
  readonly mime: string
  readonly chunks: AsyncIterable<string | Uint8Array>

  constructor(file: Pick<Download, 'filename' | 'mime' | 'chunks'>) {
    this.filename = file.filename
    this.mime = file.mime
    this.chunks = file.chunks
  }
}

/** Bytes of a file from `start` up to, and without, `end`. */
export interface ByteRange {
  start: number
  end: number
}

/** A body that is read while it is sent. Only the part that the response needs is opened. */
export interface OpenableBody {
  sizeBytes: number
  open(range: ByteRange, signal?: AbortSignal): Promise<Blob>
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
