import type { z } from 'zod'
import type { JsonStream, JsonText } from '../model/json-text.ts'
import type { Audience } from '../model/operation.ts'
import type { Source } from '../model/page/index.ts'
import type * as features from './features.ts'

/** What says where a page of a client comes from. */
export type ClientSource = Exclude<Source, 'api'>

interface Declared {
  audience: Audience
  http: object
  input: z.ZodType
  output: z.ZodType | null
}
type Exports = typeof features

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

/** All of them, written out: the types that the npm package has (`build/package.ts`). */
export type Operations = {
  [N in OperationName]: { input: AsJson<object & Input<N>>; output: Output<N> }
}
