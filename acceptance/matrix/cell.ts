/** The types of the dimensions' entries, and of what they are combined to. */
import type { EventType } from '../../src/model/event-types.ts'
import type { Fields, Page } from '../client.ts'
import type { Site, Sites } from './sites.ts'
import type { MatrixWindow, View } from './visit.ts'

/** What a page is made of. */
export interface Kind {
  readonly name: string
  readonly isDeck: boolean
  /** It has HTML of its owner: a form, scripts. */
  readonly hasHtml: boolean
  /** The file that the HTML is in. */
  readonly path: string
  content(html: string): Fields | Promise<Fields>
  /** From where the page opens to where the HTML is. */
  goOn?(visit: Visit): Promise<void>
}

/** How a page reaches a browser. */
export interface Delivery {
  readonly name: string
  readonly site: keyof Sites
  /** What a page has for it. */
  readonly html: string
  isFor(cell: Cell): boolean
  isFramed(cell: Cell): boolean
  /** Of the document with the content. */
  readonly address: RegExp
}

/** Who may open a page. */
export interface Gate {
  readonly name: string
  /** It lets the owner in alone. */
  readonly isOwner: boolean
  /** It asks for an address, so the owner reads who the visitor is. */
  readonly confirmsEmail: boolean
  settings(visitor: { email: string }): Fields
  /** How a visitor gets through; nothing where it is open. */
  pass?(visit: Visit): Promise<void>
}

/** What a page has on it for visitors. */
export interface Thing {
  readonly name: string
  readonly isConversation: boolean
  readonly html: string
  settings(visitor: { email: string }): Fields
  /** What the owner's feedback has of it, in its order. */
  events(cell: Pick<Cell, 'kind' | 'gate'>): readonly EventType[]
  /** By which somebody is asked for it; the settings come with it. */
  readonly question?: Fields
  /** Does what visitors do, and checks what the owner reads. */
  use(visit: Visit): Promise<void>
}

/** What a page has besides. */
export interface Extra {
  readonly name: string
  readonly stores: boolean
  readonly html: string
  readonly settings: Fields
  /** The visitor is asked for the thing, and mailed. */
  readonly isAsked?: boolean
  isFor(cell: Cell): boolean
  /** What the visitor opens first, in the place of the page's link. */
  addressOf?(visit: Pick<Visit, 'page' | 'site'>): Promise<string>
  /** How a visitor goes on behind the gate, where that asks more. */
  pass?(visit: Visit): Promise<void>
  /** What the owner's feedback has of that, before the rest. */
  readonly events?: readonly EventType[]
  /** The window has room for cards beside passages. */
  readonly isWide?: boolean
  /** What happens before the visitor uses the thing. */
  arrive?(visit: Visit): Promise<void>
  check?(visit: Visit): Promise<void>
}

export interface Cell {
  readonly kind: Kind
  readonly delivery: Delivery
  readonly gate: Gate
  readonly thing: Thing
  readonly extra: Extra
}

/** A visitor in front of a page. */
export interface Visit extends Pick<MatrixWindow, 'goto' | 'top'> {
  readonly cell: Cell
  readonly site: Site
  readonly page: Page
  readonly email: string
  /** The id of what the visitor is asked. */
  readonly askId: string | null
  /** The document with the page's content. */
  readonly content: View
  /** How many responses this visitor has sent. */
  submissions: number
  /** Opens the page, and passes the gate if it asks. */
  open(): Promise<void>
  /** What the owner reads by the API. */
  read<T>(what: string): Promise<T>
}
