import type { z } from 'zod'
import type { Account } from './account.ts'
import type { Download } from './download.ts'
import type { ErrorCode } from './error-codes/index.ts'
import type { Page, Source } from './page/index.ts'

/** How a call came in, beside what it says. */
export interface RequestContext {
  source: Source
  /** The page must still be what its caller last saw: no silent merging with others' changes. */
  if_match: boolean
  /** A retry of the same request answers what the first one answered. */
  idempotency: { key: string; fingerprint: string } | null
}

/**
 * An operation's audience decides what its handler is given, and the doors alone can give it. A
 * handler that has a `page` therefore has one its caller may act on: there is no way to forget
 * the check.
 */
export interface Subjects {
  account: { account: Account; caller: RequestContext }
  owner: { account: Account; page: Page; caller: RequestContext }
}
export type Audience = keyof Subjects

/**
 * How an agent is offered an operation: words for the model, which say what the tool is for, when
 * not to use it, and give one short example.
 */
export type Tool = string | { description: string; omit: readonly string[] }

export interface Contract<
  A extends Audience = Audience,
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType | null = z.ZodType | null,
> {
  name: string
  audience: A
  tag: 'Pages' | 'HTML' | 'Versions' | 'Access' | 'Responses' | 'Uploads'
  summary: string
  description?: string
  /**
   * Members of `input` that the path names come from it; the others from the query of a GET or
   * DELETE, and from the body of a POST or PATCH. An owner's path names its page `{id}`.
   */
  http: {
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
    path: `/${string}`
    status: 200 | 201 | 204
    /** The body is not JSON but the bytes themselves, handed on as they arrive. */
    rawBody?: true
    /** The answer holds `JsonText`: written out by `toJson`, not by `JSON.stringify`. */
    jsonText?: true
    /** Another type that the answer has where the input asks for it. */
    also?: 'text/csv'
  }
  /** Present where an agent may call it: the tools of the MCP server by name. */
  tools?: Readonly<Record<string, Tool>>
  input: I
  /** The whole answer, and its presenter: what it does not name cannot leak. Null: no body. */
  output: O
  /** Codes of the refusals it may answer beside those every operation can. */
  errors: readonly ErrorCode[]
}

export interface Operation {
  contract: Contract
  run(subject: never, input: never, body: RawBody): Promise<unknown>
}

export function contract<
  A extends Audience,
  I extends z.ZodObject,
  O extends z.ZodType | null = null,
>(definition: Contract<A, I, O>): Contract<A, I, O> {
  return definition
}

/** Whatever an operation answers, it may answer as a file instead. */
type Answer<O> = O extends z.ZodType ? Promise<z.input<O> | Download> : Promise<void>
export type RawBody = AsyncIterable<Uint8Array>

export function implement<A extends Audience, I extends z.ZodObject, O extends z.ZodType | null>(
  definition: Contract<A, I, O>,
  run: (subject: Subjects[A], input: z.output<I>, body: RawBody) => Answer<O>,
): Operation {
  return { contract: definition as unknown as Contract, run: run as Operation['run'] }
}
