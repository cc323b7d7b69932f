import type { ReleaseFile } from '../../../features/content/index.ts'
import type { OpenPage } from '../../../features/pages/index.ts'
import type { Fact } from '../../../features/views/index.ts'
import type { ByteRange } from '../../../model/download.ts'
import type { VisitorIdentity } from './identity.ts'
import type { Target } from './paths.ts'
import type { Claims } from './visit-tokens.ts'

/** What a request is for. */
export type Resource =
  | ContentResource
  | { kind: 'redirect'; location: string }
  /** A new frame token, for the shell of a visit that was counted. */
  | { kind: 'frame_renewal' }
  /** The viewer as they are now and a new token, for the panel of conversations. */
  | { kind: 'viewer_renewal' }
  | { kind: 'nothing' }

export interface ContentResource {
  /**
   * `document`: HTML at its own address. `file`: the PDF or image that is the page. `asset`:
   * another file of a deck. `frame`: any file by frame token. `download`: the page's file, or an
   * asset of a deck, as an attachment.
   */
  kind: 'document' | 'file' | 'asset' | 'frame' | 'download'
  file: ReleaseFile
  /** The requested part of the file; null for all of it. */
  range: ByteRange | 'unsatisfiable' | null
}

/** The program that sent a request, by its `User-Agent`. */
export interface Agent {
  /** The header itself; '' without one. */
  text: string
  /** Whether it fetches pages to preview or index them. */
  isPreview: boolean
  /** The facts that are counted of its views. Agents with equal facts share one list. */
  facts: readonly Fact[]
}

/** The agent of a request that is not counted. */
export const NO_AGENT: Agent = { text: '', isPreview: false, facts: [] }

/**
 * A classified request for a page whose gate has opened: its target, its visitor, how it is
 * counted, and how it is answered.
 */
export interface PageRequest {
  readonly request: Request
  readonly publishedPage: OpenPage
  readonly target: Target
  readonly resource: Resource
  readonly visitor: VisitorIdentity
  /** The visitor's proofs, for the tokens in the answer; null without a gate. */
  readonly claims: Claims | null
  /** `part-of-visit`: belongs to a visit that was counted before. */
  readonly counts: 'view' | 'part-of-visit' | 'none'
  /** Whether it begins a visit, which includes the following requests of this browser. */
  readonly startsVisit: boolean
  /** The program that sent the request. */
  readonly agent: Agent
  /**
   * `own_host`: a redirect to the page's own host. `markdown`: the document, converted.
   * `marked`: a copy of the file that says whose it is.
   */
  readonly shape: 'direct' | 'shell' | 'viewer' | 'own_host' | 'markdown' | 'marked'
  /** The origin that the page has of its own in this browser; null: it runs in the sandbox. */
  readonly origin: string | null
  /** The visit of a request to the page's own host; null on the base host. */
  readonly ownHost: { device: string | null } | null
  /** When the visit began, in milliseconds since the epoch. */
  readonly startedMs: number
  readonly nowMs: number
}

/**
 * Makes an answer of a file: the response without one, or what gives the response, with cookies,
 * once the view is counted.
 */
export type MakeAnswer = (contentRequest: ContentRequest) => Promise<Response | Answer>
export type Answer = (cookies: readonly string[]) => Response | Promise<Response>

export interface ContentRequest extends PageRequest {
  readonly resource: ContentResource
}
