/**
 * The protocol between the shell and the documents that it frames: what each message has in it is
 * declared once, and read with `readMessage`, as what a page sends may be anything.
 */

import { CONTROL_KINDS, type FormControl } from '../../src/model/form.ts'
import {
  MAX_CONTEXT_CHARS,
  MAX_ELEMENT_TEXT_CHARS,
  MAX_MARKS,
  MAX_QUOTE_CHARS,
  MAX_SELECTOR_CHARS,
  MAX_SPOTS,
} from '../../src/model/passage.ts'
import type { Submission } from '../runtime/submission.ts'

/** The limit of one area, in characters of keys and values, as browsers limit an origin. */
export const STORAGE_QUOTA_CHARS = 5 * 1024 * 1024
export const MAX_TITLE_CHARS = 500
const MAX_VIEWPORT_CHARS = 1000
/** More than the server accepts: it checks all of a submission again. */
const MAX_SUBMISSION_CHARS = 300_000
/** Passages that the shell is told the places of. */
export const MAX_FOLLOWED = 300
/** No page of people is higher. */
const MAX_TOP_PX = 1_000_000
const MAX_CONTROLS = 1000
const MAX_CONTROL_CHARS = 1000

const id = text(100)
const path = text(8000)
const item = text(STORAGE_QUOTA_CHARS)
const boolean = oneOf([true, false])
const area = oneOf(['local', 'session', 'cookie'])
export type Area = Value<typeof area>
const entries = list(entry)
export type Entries = Value<typeof entries>

const submitted = text(MAX_SUBMISSION_CHARS)
const submission: Reader<Submission> = object({
  stamp: submitted,
  id: submitted,
  data: submitted,
  name: optional(submitted),
  controls: list<FormControl>(
    object({
      name: text(MAX_CONTROL_CHARS),
      label: nullable(text(MAX_CONTROL_CHARS)),
      kind: oneOf(CONTROL_KINDS),
    }),
    MAX_CONTROLS,
  ),
  trap: optional(submitted),
})

const passage = {
  quote: text(MAX_QUOTE_CHARS),
  prefix: text(2 * MAX_CONTEXT_CHARS),
  suffix: text(2 * MAX_CONTEXT_CHARS),
}
/** A part of the frame's window, in CSS pixels. */
const box = { top: finite, left: finite, bottom: finite, right: finite }
export type Box = Values<typeof box>
/** A selected passage, and where it is. */
const selection = object({ ...passage, ...box })
export type SelectedPassage = Value<typeof selection>
const words = { tag: tagName, text: text(MAX_ELEMENT_TEXT_CHARS) }
/** A spot on an element of the document; `x` and `y` go from 0 to 1, from the top left. */
const element = object({ ...words, selector: text(MAX_SELECTOR_CHARS) })
const elementSpot = { x: ratio, y: ratio, element }
export type ElementSpot = Values<typeof elementSpot>
/** A spot that was clicked, and where its image is. */
const pickedSpot = object({ ...elementSpot, ...box })
export type PickedSpot = Value<typeof pickedSpot>
/** An element that the visitor may comment on, and where it is. */
const candidate = object({ ...words, ...box })
export type Candidate = Value<typeof candidate>
/** The element that the visitor has chosen, and its words; null where it has none or too many. */
const pickedElement = object({ ...elementSpot, passage: nullable(object(passage)) })
export type PickedElement = Value<typeof pickedElement>
const step = oneOf(['next', 'previous', 'outer', 'inner'])
export type PickStep = Value<typeof step>
/** A passage that has comments. */
const mark = object({ id, ...passage })
export type Mark = Value<typeof mark>
/** A spot that has comments. */
const spotMark = object({ id, ...elementSpot })
export type SpotMark = Value<typeof spotMark>
/** Where a spot is in the frame's window; not visible where something covers it. */
const placedSpot = object({ id, left: clamped, top: clamped, is_visible: boolean })
export type PlacedSpot = Value<typeof placedSpot>
/** How far from the top of the frame's window a passage is, which may be out of sight. */
const movedMark = object({ id, top: clamped })

/** Document → shell, through its port. */
const FROM_DOCUMENT = {
  /**
   * Its address, as a path below the page's files, and its title. `stamp` is its source token,
   * where the page has conversations.
   */
  location: { path, title: text(MAX_TITLE_CHARS), stamp: optional(path) },
  /** A link leads to another file of the page. */
  navigate: { path },
  /** A script goes through the history, which is that of the window. */
  traverse: { delta: finite },
  /** An entry is set, or removed where `value` is null. */
  storage: { area, key: item, value: nullable(item) },
  /** All entries of an area are removed. */
  'storage-clear': { area },
  /** What its `<meta name="viewport">` says; '' where it has none. */
  viewport: { content: text(MAX_VIEWPORT_CHARS) },
  /** The height of its content, for printing. */
  height: { pixels: finite },
  /** With a port for the `answer`. */
  submit: { submission },
  /** With a port for the `files`: it needs a new address of the page's files. */
  renew: {},
  /** The visitor selected a passage; null: nothing is selected any more. */
  selection: { selection: nullable(selection) },
  /** The visitor clicked an image; null: something else is done. */
  spot: { spot: nullable(pickedSpot) },
  /** The element that was pointed at or gone to; null: there is none. */
  candidate: { candidate: nullable(candidate) },
  /** The candidate that was taken; null if there is none any more. */
  picked: { picked: nullable(pickedElement) },
  /** It can show marks. */
  'ready-for-marks': {},
  /** The marks whose passages it has found. */
  'marks-shown': { ids: list(id, MAX_MARKS) },
  /** The spots whose images it has found, whenever they move. */
  'marks-placed': { spots: list(placedSpot, MAX_SPOTS) },
  /** Where marked passages are, whenever they move while the shell follows them. */
  'marks-moved': { marks: list(movedMark, MAX_FOLLOWED) },
  /** The visitor clicked a marked passage. */
  'mark-click': { id },
}

/** Shell → document, through its port. */
const FROM_SHELL = {
  /** Another window of the page has changed its local storage. */
  'storage-event': { key: item, old_value: nullable(item), value: nullable(item) },
  /** The passages to mark and the spots to find, instead of those before. */
  marks: { marks: list(mark, MAX_MARKS), spots: list(spotMark, MAX_SPOTS) },
  /** Tell where marks are, from now on or no longer. */
  'follow-marks': { is_on: boolean },
  /** Scroll to a marked passage or spot. */
  reveal: { id },
  /** Which element is at a point, after the page was scrolled by this? */
  'pick-at': { left: finite, top: finite, scroll_x: finite, scroll_y: finite },
  /** Go from the candidate to another one. */
  'pick-step': { step },
  /** The visitor takes the candidate, or nothing. */
  'pick-end': { is_taken: boolean },
}

const SCHEMA = {
  ...FROM_DOCUMENT,
  ...FROM_SHELL,
  /**
   * Shell → document, as JSON in the frame's `window.name`, which a document can read before
   * anything else happens. `nonce` is known to the shell and the documents of its frame alone.
   * `paths` are those of the page's files, in a sandbox.
   */
  handover: {
    nonce: text(100),
    shell_origin: path,
    paths: list(path),
    local: entries,
    session: entries,
    cookie: entries,
  },
  /** Document → window of the shell, with the port that the other messages use. */
  connect: { nonce: text(100) },
  /** Nested frame → the document around it, with a port for the `files`. */
  'relay-renew': { files: path },
  /** Shell → document: a new address of the page's files, on the port that came with `renew`. */
  files: { url: path },
  /** Nested frame → the document around it, which alone has a port to the shell. */
  relay: { files: path, submission },
  /** Shell → document, on the port that came with `submit` or `relay`. */
  answer: { status: finite, retry_after_s: nullable(finite), body: (value: unknown) => value },
}

type Schema = typeof SCHEMA
type MessageType = keyof Schema
export type MessageOf<Type extends MessageType> = {
  [Name in Type]: { type: Name } & Values<Schema[Name]>
}[Type]
export type FrameMessage = MessageOf<MessageType>

export const DOCUMENT_MESSAGES = Object.keys(FROM_DOCUMENT) as (keyof typeof FROM_DOCUMENT)[]
export type DocumentMessage = MessageOf<keyof typeof FROM_DOCUMENT>
export const SHELL_MESSAGES = Object.keys(FROM_SHELL) as (keyof typeof FROM_SHELL)[]
export type ShellMessage = MessageOf<keyof typeof FROM_SHELL>

/** A copy of the message if it is well-formed and of one of these types, else null: drop it. */
export function readMessage<Type extends MessageType>(
  value: unknown,
  ...types: Type[]
): MessageOf<Type> | null {
  const type = types.find((each) => each === (value as { type?: unknown } | null)?.type)
  if (type === undefined) return null
  const fields = attempt(object<Fields>(SCHEMA[type]), value)
  return fields && ({ type, ...fields } as unknown as MessageOf<Type>)
}

export function readEntries(value: unknown): Entries | null {
  return attempt(entries, value)
}

function entry(value: unknown): [key: string, value: string] {
  const [key, entryValue] = Array.isArray(value) ? value : malformed()
  return [item(key), item(entryValue)]
}

/** Readers of what another window sent. They copy what is expected, and refuse the rest. */

/** Returns a copy with the known fields alone, or throws. */
type Reader<T> = (value: unknown) => T
type Value<R> = R extends Reader<infer T> ? T : never
type Fields = Record<string, Reader<unknown>>
type OptionalName<F> = {
  [Name in keyof F]: null extends Value<F[Name]>
    ? never
    : undefined extends Value<F[Name]>
      ? Name
      : never
}[keyof F]
/** What a window sends for these fields: one that may be undefined may be missing. */
type Values<F> = { [Name in Exclude<keyof F, OptionalName<F>>]: Value<F[Name]> } & {
  [Name in OptionalName<F>]?: Exclude<Value<F[Name]>, undefined>
}

function attempt<T>(read: Reader<T>, value: unknown): T | null {
  try {
    return read(value)
  } catch {
    return null
  }
}

function object<F extends Fields>(fields: F): Reader<Values<F>> {
  return (value) => {
    const members = (typeof value === 'object' && value ? value : malformed()) as typeof copy
    const copy: Record<string, unknown> = {}
    for (const name of Object.keys(fields)) {
      const field = fields[name]!(members[name])
      if (field !== undefined) copy[name] = field
    }
    return copy as Values<F>
  }
}

function list<T>(read: Reader<T>, maxLength = Number.POSITIVE_INFINITY): Reader<T[]> {
  return (value) => {
    if (!Array.isArray(value) || value.length > maxLength) return malformed()
    return Array.from(value, read)
  }
}

function text(maxChars: number): Reader<string> {
  return (value) => (typeof value === 'string' && value.length <= maxChars ? value : malformed())
}

/** The name of an element, as the server accepts it. */
function tagName(value: unknown): string {
  const isName = typeof value === 'string' && /^[a-z][\w:.-]{0,99}$/i.test(value)
  return isName ? value : malformed()
}

function finite(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : malformed()
}

function clamped(value: unknown): number {
  return Math.max(-MAX_TOP_PX, Math.min(MAX_TOP_PX, finite(value)))
}

function ratio(value: unknown): number {
  const number = finite(value)
  return number >= 0 && number <= 1 ? number : malformed()
}

function oneOf<const T>(values: readonly T[]): Reader<T> {
  return (value) => (values.includes(value as T) ? (value as T) : malformed())
}

function nullable<T>(read: Reader<T>): Reader<T | null> {
  return (value) => (value === null ? null : read(value))
}

function optional<T>(read: Reader<T>): Reader<T | undefined> {
  return (value) => (value === undefined ? undefined : read(value))
}

function malformed(): never {
  throw new TypeError('a malformed message')
}
