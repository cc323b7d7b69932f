import type { z } from 'zod'
import type { JsonStream, JsonText } from '../model/json-text.ts'
import type { Audience } from '../model/operation.ts'
import type { FEATURES } from './contracts.ts'

interface Declared {
  audience: Audience
  http: object
  input: z.ZodType
  output: z.ZodType | null
}
type Exports = typeof FEATURES

export type Contracts = {
  [K in keyof Exports as Exports[K] extends Declared ? K : never]: Extract<Exports[K], Declared>
}
export type OperationName = keyof Contracts

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | { [name: string]: JsonValue }

/** The type of an empty schema is a record, which would hide the page's `id`. */
type Members<T> = string extends keyof T ? unknown : T
type Owned<C extends Declared> = C['audience'] extends 'owner' ? { id: string } : unknown

/** The input of an operation: that of its contract, and the page's `id` for an owner's. */
export type Input<N extends OperationName> = Members<z.input<Contracts[N]['input']>> &
  Owned<Contracts[N]>

/** The answer of an operation: its contract's output after JSON. */
export type Output<N extends OperationName> = Contracts[N]['output'] extends z.ZodType
  ? AsJson<z.output<Contracts[N]['output']>>
  : undefined

type AsJson<T> = unknown extends T
  ? JsonValue
  : T extends JsonText<infer Value>
    ? AsJson<Value>
    : T extends JsonStream
      ? string
      : T extends readonly (infer Item)[]
        ? AsJson<Item>[]
        : T extends object
          ? { [K in keyof T]: AsJson<T[K]> }
          : T

export interface CallOptions {
  signal?: AbortSignal
  /** The ETag that the page must still have; otherwise the call fails with 412. */
  if_match?: string
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
