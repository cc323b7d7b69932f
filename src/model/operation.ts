import { z } from 'zod'
import type { Account, RequestKey, Scope } from './account.ts'
import type { Download, StoredFile } from './download.ts'
import type { ErrorCode } from './error-codes/index.ts'
import type { Hints } from './input.ts'
import type { Page, Source } from './page/index.ts'
import type { PageSource, Participant, Viewer } from './viewer.ts'

/** The data of a request that an operation gets besides its input. */
export interface RequestContext {
  /** The interface the request came through; a new page records it. */
  source: Source
  /** The API key that authenticated the request; none of a session. */
  key?: RequestKey | null
  /**
   * Whether the request names the page state that it changes, so that it is not merged with others.
   */
  hasIfMatch: boolean
  /** Set when the request has an `Idempotency-Key`: a retry returns the result of the first. */
  idempotency: { key: string; fingerprint: string } | null
  /** It aborts once the client is gone. A call, since Bun makes it for a request that is asked. */
  signal?(): AbortSignal
  /** Authenticates it again, after the read: what came once the key had ended is not told. */
  renew?(): Promise<unknown>
}

/**
 * The arguments of a handler, by the audience of its operation. The routes in `http` resolve it and
 * check the permission, so a handler that has a `page` may act on it without another check.
 */
export interface Subjects {
  account: { account: Account; context: RequestContext }
  /** The account is signed in with this session. An API key gets nothing here. */
  session: { account: Account; sessionId: string; context: RequestContext }
  /** The account has `is_operator`, and is signed in. An API key gets nothing here. */
  operator: { account: Account; context: RequestContext }
  /** The account owns the page. Without a session, an API key authenticated the request. */
  owner: { account: Account; sessionId: string | null; page: Page; context: RequestContext }
  /** The access rule admits the viewer to the page at this moment. */
  visitor: { page: Page; viewer: Viewer; source: PageSource }
  /** The same, and the request comes from the panel in our own document around the page. */
  participant: { page: Page; participant: Participant; source: PageSource }
}
/** The audiences of visitor operations: people for whom a page is published. */
export type VisitorAudience = 'visitor' | 'participant'
/** The audiences of the API: its callers have accounts. */
export type Audience = Exclude<keyof Subjects, VisitorAudience>

/**
 * Whether an operation of this audience requires a session and refuses API keys. Revoking a stolen
 * key is then enough: it cannot have made another key, ended a session or deleted the account.
 */
export function takesSessionOnly({ audience }: { audience: Audience }): boolean {
  return audience === 'session' || audience === 'operator'
}

/**
 * Whether a session may do this within an hour of its sign-in only, so that a browser that was left
 * open, or a stolen cookie, cannot. All that an operator changes is among it.
 *
 * @param page of an `owner` operation
 */
export function needsRecentSignIn(contract: Contract, input: unknown, page: Page | null): boolean {
  if (contract.audience === 'operator' && contract.http.method !== 'GET') return true
  return contract.needsRecentSignIn?.(input as never, page) ?? false
}

/** Whether an operation changes a page. It can name the state that it changes, by `If-Match`. */
export function changesPage({ audience, http }: Contract): boolean {
  return audience === 'owner' && http.method !== 'GET'
}

/** Whether it answers the page or its draft: only then its ETag is that of the page. */
export function readsPage({ http, tag }: Contract): boolean {
  return http.method === 'GET' && (tag === 'HTML' || http.path === '/pages/{id}')
}

/** Whether it refuses a page that is in the trash. */
export function refusesTrashed(contract: Contract): boolean {
  return changesPage(contract) && contract.takesTrashed !== true
}

/** The tags of operations that are about pages and accounts, and not about what viewers do. */
const WITHOUT_VIEWERS: ReadonlySet<Contract['tag']> = new Set([
  'Pages',
  'HTML',
  'Versions',
  'Uploads',
  'Account',
] as const)

/** Whether a key that is limited to feedback of confirmed people is refused: by default it is. */
export function refusesConfirmedOnly({ tag, hasStrangersWords, takesConfirmedOnly }: Contract) {
  return !takesConfirmedOnly && (hasStrangersWords === true || !WITHOUT_VIEWERS.has(tag))
}

/** The scopes that a key needs for an operation, all of them. */
export function scopesOf(contract: Pick<Contract, ScopeMembers>): readonly Scope[] {
  const { tag, http, hasStrangersWords = false, scopes } = contract
  if (scopes !== undefined) return scopes
  const isAboutViewers = hasStrangersWords || !WITHOUT_VIEWERS.has(tag)
  if (http.method === 'GET') return [isAboutViewers ? 'feedback:read' : 'pages:read']
  return hasStrangersWords ? ['pages:write', 'feedback:read'] : ['pages:write']
}
type ScopeMembers = 'tag' | 'http' | 'hasStrangersWords' | 'scopes'

/** Whether a key that is limited to some pages may call it: what is about one page, by default. */
export function takesPageKeys({ audience, pageKeys }: Contract): boolean {
  return pageKeys ?? audience === 'owner'
}

/** Groups of MCP tools, of which the address of a server names those that it offers. */
export const TOOLSETS = ['publish', 'content', 'feedback', 'links', 'versions'] as const
export type Toolset = (typeof TOOLSETS)[number]

/** An operation as an MCP tool. */
export interface Tool {
  /** `feedback` by default. */
  set?: Toolset
  /** What it is for, when not to use it, and one short example. */
  description: string
  /** Members of the input that the tool does not offer. */
  omit?: readonly string[]
  /** Members that it takes and does not list: its description says whose they are. */
  unlisted?: readonly string[]
  /** What the tool takes where the call leaves it out, instead of the operation's defaults. */
  defaults?: Readonly<Record<string, unknown>>
  /** The shorter result of a tool that does not answer all that REST does. */
  output?: z.ZodType
}

/** An operation of the API: REST, OpenAPI, MCP and the client derive from it. */
export interface Contract extends Declaration {
  /** That by which its contract file exports it. */
  name: string
}

export interface Declaration<
  A extends Audience = Audience,
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType | null = z.ZodType | null,
> {
  audience: A
  tag:
    | 'Pages'
    | 'HTML'
    | 'Versions'
    | 'Access'
    | 'Responses'
    | 'Comments'
    | 'Poll'
    | 'Approvals'
    | 'Inbox'
    | 'Feedback'
    | 'Webhooks'
    | 'Analytics'
    | 'Uploads'
    | 'Account'
    | 'Transfer'
    | 'Keys'
    | 'Sessions'
    | 'Operator'
  summary: string
  description?: string
  /**
   * Members of `input` come from the path where it names them, else from the query of a GET or
   * DELETE, or from the body of a POST or PATCH. In the path of an `owner` operation `{id}` is the
   * page. `{+name}` may contain slashes, and ends the path.
   */
  http: {
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
    path: `/${string}`
    status: 200 | 201 | 202 | 204
    /** The member that a body of `text/csv` is. The others are in the query then. */
    csvMember?: string
    /** The body is a stream of bytes, not JSON. */
    rawBody?: true
    /**
     * It may take minutes: its answer begins with spaces before the result is known. Only for JSON.
     */
    takesLong?: true
    /** The result contains `JsonText` or a `JsonStream`: `jsonParts` serializes it. */
    jsonText?: true
    /** Another content type that the input can ask for. */
    also?: 'text/csv'
    /** The result is a `StoredFile` or a `Download`, and `output` is null. */
    file?: true
  }
  /** The MCP tools made from this operation, by name. */
  tools?: Readonly<Record<string, Tool>>
  input: I
  /** For members that people send and that it does not take: what to do instead. */
  hints?: Hints
  /** The response body. Members that it does not name are removed. null: no body. */
  output: O
  /** Whether a session needs a sign-in of the last hour for this input. API keys never do. */
  needsRecentSignIn?(input: z.output<I>, page: Page | null): boolean
  /** It may change a page that is in the trash. Reads need no such leave. */
  takesTrashed?: true
  /** Guests may call it, too. They have no pages. */
  takesGuests?: true
  /** The result contains words of strangers, which a model must not take for instructions. */
  hasStrangersWords?: true
  /**
   * A key with `confirmed_only` may call it although it is about viewers: it answers nothing of
   * those who confirmed no address.
   */
  takesConfirmedOnly?: true
  /** The scopes that a key needs, where `scopesOf` does not tell them by tag and method. */
  scopes?: readonly Scope[]
  /**
   * Whether a key that is limited to some pages may call it, where that is not told by the
   * audience. One about the account then answers nothing of other pages.
   */
  pageKeys?: boolean
  /** Codes that this operation can refuse with, besides those of every operation. */
  errors: readonly ErrorCode[]
}

export interface Operation {
  contract: Contract
  run(subject: never, input: never, body: RawBody): Promise<unknown>
}

/** The schema of an object that the OpenAPI document has by a name, and refers to. */
export function component<S extends z.core.$ZodLooseShape>(id: string, shape: S) {
  return z.object(shape).meta({ id })
}

const noInput = z.strictObject({})

type Optional = 'input' | 'output' | 'errors' | 'tag' | 'audience'
type WithDefaults<D extends Pick<Declaration, Optional>> = Omit<D, Optional> & Partial<D>
/** The output of an operation that answers `data` and nothing else. */
type BodyWith<D extends z.ZodType> = z.ZodObject<{ data: D }>

const bodyWith = (data?: z.ZodType | null) => data && { output: z.object({ data }) }

/**
 * Declares the operations of one tag for one audience. By default one takes no input, answers no
 * body, and refuses with the errors of every operation only. One that answers `data` alone has the
 * schema of that in place of `output`.
 *
 * @param shared what all of them declare besides
 */
export function contractsOf<A extends Audience>(
  tag: Contract['tag'],
  audience: A,
  shared: Partial<Declaration<A>> = {},
) {
  const defaults = { input: noInput, output: null, errors: [], tag, audience, ...shared }
  return <
    I extends z.ZodObject = typeof noInput,
    D extends z.ZodType | null = null,
    O extends z.ZodType | null = D extends z.ZodType ? BodyWith<D> : null,
  >({
    data,
    ...definition
  }: WithDefaults<Declaration<A, I, O>> & { data?: D }) =>
    ({ ...defaults, ...bodyWith(data), ...definition }) as unknown as Declaration<A, I, O>
}

/** What a handler returns of a body: its `data`, where it has nothing else. */
export type Returned<Body> = Body extends { data: infer Data }
  ? keyof Body extends 'data'
    ? Data
    : Body
  : Body
/** Every operation that has a result may return a file instead. */
type Result<O> = O extends z.ZodType
  ? Promise<Returned<z.input<O>> | Download>
  : Promise<void> | Promise<StoredFile | Download>

/** The body of an answer, by what its handler returned. Members that `output` lacks are removed. */
export function bodyOf(output: z.ZodType, returned: unknown): unknown {
  const isData = output instanceof z.ZodObject && Object.keys(output.shape).join() === 'data'
  return output.parse(isData ? { data: returned } : returned)
}

export type RawBody = AsyncIterable<Uint8Array> & {
  /** The size that the sender declares; undefined if it declares none. */
  readonly declaredBytes?: number | undefined
}

/** What runs each operation of a kind that a contract file declares, by its name. */
type Handlers<File, Kind> = {
  [Name in keyof File as File[Name] extends Kind ? Name : never]: HandlerOf<File[Name]>
}

type HandlerOf<D> =
  D extends Declaration<infer A, infer I, infer O>
    ? (subject: Subjects[A], input: z.output<I>, body: RawBody) => Result<O>
    : D extends VisitorContract<infer A, infer I, infer O>
      ? (subject: Subjects[A], input: z.output<I>) => Promise<Returned<z.input<O>>>
      : never

/** Binds the operations that a contract file declares to what runs them: all of them. */
export function operationsOf<File extends object>(
  file: File,
  handlers: Handlers<File, Declaration>,
): Operation[] {
  const declarations = file as Record<string, Declaration>
  return Object.entries<Operation['run']>(handlers as never).map(([name, run]) => ({
    contract: { ...declarations[name]!, name },
    run,
  }))
}

/**
 * An operation for visitors of a page.
 *
 * `visitor`: from the page itself or the shell around it. Its body carries the viewer's token, so
 * cookies do not count, and any origin may send it.
 *
 * `participant`: from the panel of conversations, which is part of our own document, with the
 * token of the panel and from the browser that has it. No script of a page can send that.
 */
export interface VisitorContract<
  A extends VisitorAudience = VisitorAudience,
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
> {
  audience: A
  summary: string
  http: {
    method: 'POST'
    path: `/~/${string}`
    status: 200 | 201
    /** The result contains `JsonText`, so `toJson` serializes it. It is compressed: no secrets. */
    jsonText?: true
  }
  /** The largest body, and the message of the refusal of a larger one. */
  body: { maxBytes: number; tooLarge: string }
  /**
   * How often one client address may send it to one page, and how often one viewer may. Null for a
   * read that costs no more than a view: counting it would be a write.
   */
  limits: { byAddress: RateLimit; byViewer: RateLimit } | null
  input: I
  /** The response body. Members that it does not name are removed. */
  output: O
  /** Codes that this operation can refuse with, besides those of every visitor operation. */
  errors: readonly ErrorCode[]
}

/**
 * How often a visitor operation may be sent in a minute, or another window: by one viewer, and by
 * one address to one page, from which a whole office may send.
 */
export function limitsOf(
  name: string,
  { address, viewer, windowS = 60 }: { address: number; viewer: number; windowS?: number },
): VisitorContract['limits'] {
  const byAddress = { name: `${name}-address`, count: address, windowS }
  return { byAddress, byViewer: { name, count: viewer, windowS } }
}

export interface VisitorOperation {
  contract: VisitorContract
  run(subject: never, input: never): Promise<unknown>
}

/** Declares the operations for one audience of visitors that take such a body. */
export function visitorContractsOf<A extends VisitorAudience>(
  audience: A,
  body: VisitorContract['body'],
) {
  type Shared = 'audience' | 'body' | 'output'
  return <I extends z.ZodObject, D extends z.ZodType, O extends z.ZodType = BodyWith<D>>({
    data,
    ...definition
  }: Omit<VisitorContract<A, I>, Shared> & { data?: D; output?: O }) =>
    ({ audience, body, ...bodyWith(data), ...definition }) as unknown as VisitorContract<A, I, O>
}

/** Binds the visitor operations that a contract file declares to what runs them: all of them. */
export function visitorOperationsOf<File extends object>(
  file: File,
  handlers: Handlers<File, VisitorContract>,
): VisitorOperation[] {
  const contracts = file as Record<string, VisitorContract>
  return Object.entries<VisitorOperation['run']>(handlers as never).map(([name, run]) => ({
    contract: contracts[name]!,
    run,
  }))
}

/** How often one caller may do something: `count` times in `windowS` seconds. */
export interface RateLimit {
  /** Names the limit in headers and in stored keys. */
  name: string
  count: number
  windowS: number
  /**
   * Counts in the memory of each node while nothing can be stored. For a limit that bounds load:
   * one that guards a secret counts in the space that is kept for it, or refuses.
   */
  countsWithoutSpace?: boolean
}
