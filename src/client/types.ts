import type { Input, OperationName, Output } from './operations.ts'

export interface CallOptions {
  signal?: AbortSignal
  /** The ETag that the page must still have; otherwise the call fails with 412. */
  if_match?: string | undefined
  /** Of a new page or comment: where a request with this key has made it, it is answered again. */
  idempotency_key?: string
  /** Called with the ETag of the page that was read, for a later `if_match`. */
  onEtag?(etag: string): void
}

export type UploadBody = Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>
export interface UploadOptions extends CallOptions {
  /** Called as bytes are sent; in browsers, which cannot observe that, once after the upload. */
  onProgress?(sentBytes: number): void
}

type Method<N extends OperationName> =
  object extends Input<N>
    ? (input?: Input<N>, options?: CallOptions) => Promise<Output<N>>
    : (input: Input<N>, options?: CallOptions) => Promise<Output<N>>

/** With `format: 'csv'` the answer is the response itself, so that its body can be streamed. */
interface ListResponsesMethod {
  (input: Input<'listResponses'> & { format: 'csv' }, options?: CallOptions): Promise<Response>
  (
    input: Input<'listResponses'> & { format?: 'json' },
    options?: CallOptions,
  ): Promise<Output<'listResponses'>>
}

type Special = {
  /** The answer is the response itself, so that its body can be streamed. */
  readFile(input: Input<'readFile'>, options?: CallOptions): Promise<Response>
  /** The answer is the response itself, so that its body can be streamed. */
  downloadPage(input: Input<'downloadPage'>, options?: CallOptions): Promise<Response>
  createUpload(body: UploadBody, options?: UploadOptions): Promise<Output<'createUpload'>>
  listResponses: ListResponsesMethod
  /** The answer is the response itself, so that its body can be streamed. */
  exportAccount(input?: object, options?: CallOptions): Promise<Response>
  importAccount(body: UploadBody, options?: UploadOptions): Promise<Output<'importAccount'>>
  /** The answer is the response itself, whose text is the record. */
  getApprovalRecord(input: { id: string }, options?: CallOptions): Promise<Response>
  /** The answer is the response itself, whose text is the record. */
  getImportedRecord(input: Input<'getImportedRecord'>, options?: CallOptions): Promise<Response>
}

export type Client = { [N in Exclude<OperationName, keyof Special>]: Method<N> } & Special
