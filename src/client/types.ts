import type { z } from 'zod'
import type { JsonText } from '../model/json-text.ts'
import type { FEATURES } from './contracts.ts'

interface Declared {
  audience: string
  http: object
  input: z.ZodType
  output: z.ZodType | null
}
type Rooms = typeof FEATURES

/** The contracts among what the rooms' contract files export. */
export type Contracts = {
  [K in keyof Rooms as Rooms[K] extends Declared ? K : never]: Extract<Rooms[K], Declared>
}
export type OperationName = keyof Contracts

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | { [name: string]: JsonValue }

/** A schema without members is a record of nothing, which would swallow the page's id. */
type Members<T> = string extends keyof T ? unknown : T
type Owned<C extends Declared> = C['audience'] extends 'owner' ? { id: string } : unknown

/** What an operation takes: its contract's input, and of an owner's also the page's `id`. */
export type Input<N extends OperationName> = Members<z.input<Contracts[N]['input']>> &
  Owned<Contracts[N]>

/** What it answers: its contract's output, as JSON brings it. */
export type Output<N extends OperationName> = Contracts[N]['output'] extends z.ZodType
  ? AsJson<z.output<Contracts[N]['output']>>
  : undefined

type AsJson<T> = unknown extends T
  ? JsonValue
  : T extends JsonText
    ? JsonValue
    : T extends readonly (infer Item)[]
      ? AsJson<Item>[]
      : T extends object
        ? { [K in keyof T]: AsJson<T[K]> }
        : T

export interface CallOptions {
  signal?: AbortSignal
  /** The ETag the page must still have; otherwise 412, and nothing is written. */
  if_match?: string
}

export type UploadBody = Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>
export interface UploadOptions extends CallOptions {
  /** Told as the bytes leave; in browsers, which cannot tell, once all have left. */
  onProgress?(sentBytes: number): void
}

type Ask<N extends OperationName> =
  object extends Input<N>
    ? (input?: Input<N>, options?: CallOptions) => Promise<Output<N>>
    : (input: Input<N>, options?: CallOptions) => Promise<Output<N>>

/** A CSV is for reading as it comes: the answer is the response itself, `text()` or `body`. */
interface AskReport {
  (input: Input<'listResponses'> & { format: 'csv' }, options?: CallOptions): Promise<Response>
  (
    input: Input<'listResponses'> & { format?: 'json' },
    options?: CallOptions,
  ): Promise<Output<'listResponses'>>
}

type Special = {
  createUpload(body: UploadBody, options?: UploadOptions): Promise<Output<'createUpload'>>
  listResponses: AskReport
}

/** One method for each contract. */
export type Client = { [N in Exclude<OperationName, keyof Special>]: Ask<N> } & Special
