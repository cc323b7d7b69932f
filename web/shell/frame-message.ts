/**
 * The protocol between the shell and the documents that it frames. Every message has a `type`, and
 * its receiver checks it with `readMessage`: what a page sends may be anything.
 */

import { CONTROL_KINDS, type FormControl } from '../../src/model/form.ts'
import {
  MAX_CONTEXT_CHARS,
  MAX_ELEMENT_TEXT_CHARS,
  MAX_QUOTE_CHARS,
  MAX_SELECTOR_CHARS,
  type Passage,
} from '../../src/model/passage.ts'
import type { Answer, Submission } from '../runtime/submission.ts'
import {
  type Box,
  type Candidate,
  type ElementSpot,
  MAX_MARKS,
  MAX_SPOTS,
  type Mark,
  PICK_STEPS,
  type PickedElement,
  type PickedSpot,
  type PickStep,
  type PlacedSpot,
  type SelectedPassage,
  type SpotMark,
} from './marks.ts'

const AREAS = ['local', 'session', 'cookie'] as const
export type Area = (typeof AREAS)[number]
export type Entries = [key: string, value: string][]

export type FrameMessage =
  /**
   * Shell → document, as JSON in the frame's `window.name`, which a document can read before
   * anything else happens. `nonce` is known to the shell and the documents of its frame alone.
   * `paths` are those of the page's files, in a sandbox.
   */
  | (Record<Area, Entries> & {
      type: 'handover'
      nonce: string
      shell_origin: string
      paths: string[]
    })
  /** Document → window of the shell, with the port that the messages below use. */
  | { type: 'connect'; nonce: string }
  /**
   * Document → shell: its address, as a path below the page's files, and its title. `stamp` is its
   * source token, where the page has conversations.
   */
  | { type: 'location'; path: string; title: string; stamp?: string }
  /** Document → shell: a link leads to another file of the page. */
  | { type: 'navigate'; path: string }
  /** Document → shell: an entry is set, or removed where `value` is null. */
  | { type: 'storage'; area: Area; key: string; value: string | null }
  /** Document → shell: all entries of an area are removed. */
  | { type: 'storage-clear'; area: Area }
  /** Document → shell: what its `<meta name="viewport">` says; '' where it has none. */
  | { type: 'viewport'; content: string }
  /** Document → shell: the height of its content, for printing. */
  | { type: 'height'; pixels: number }
  /** Document → shell, with a port for the `files`: it needs a new address of the page's files. */
  | { type: 'renew' }
  /** Nested frame → the document around it, with a port for the `files`. */
  | { type: 'relay-renew'; files: string }
  /** Shell → document: a new address of the page's files, on the port that came with `renew`. */
  | { type: 'files'; url: string }
  /** Document → shell, with a port for the `answer`. */
  | { type: 'submit'; submission: Submission }
  /** Nested frame → the document around it, which alone has a port to the shell. */
  | { type: 'relay'; files: string; submission: Submission }
  /** Document → shell: the visitor selected a passage; null: nothing is selected any more. */
  | { type: 'selection'; selection: SelectedPassage | null }
  /** Document → shell: the visitor clicked an image; null: something else is done. */
  | { type: 'spot'; spot: PickedSpot | null }
  /** Document → shell: the element that was pointed at or gone to; null: there is none. */
  | { type: 'candidate'; candidate: Candidate | null }
  /** Document → shell: the candidate that was taken; null if there is none any more. */
  | { type: 'picked'; picked: PickedElement | null }
  /** Document → shell: it can show marks. */
  | { type: 'ready-for-marks' }
  /** Document → shell: the marks whose passages it has found. */
  | { type: 'marks-shown'; ids: string[] }
  /** Document → shell: the spots whose images it has found, whenever they move. */
  | { type: 'marks-placed'; spots: PlacedSpot[] }
  /** Document → shell: the visitor clicked a marked passage. */
  | { type: 'mark-click'; id: string }
  /** Shell → document: the passages to mark and the spots to find, instead of those before. */
  | { type: 'marks'; marks: Mark[]; spots: SpotMark[] }
  /** Shell → document: scroll to a marked passage or spot. */
  | { type: 'reveal'; id: string }
  /** Shell → document: which element is at a point, after the page was scrolled by this? */
  | { type: 'pick-at'; left: number; top: number; scroll_x: number; scroll_y: number }
  /** Shell → document: go from the candidate to another one. */
  | { type: 'pick-step'; step: PickStep }
  /** Shell → document: the visitor takes the candidate, or nothing. */
  | { type: 'pick-end'; is_taken: boolean }
  /** Shell → document: another window of the page has changed its local storage. */
  | { type: 'storage-event'; key: string; old_value: string | null; value: string | null }
  /** Shell → document, on the port that came with `submit` or `relay`. */
  | ({ type: 'answer' } & Answer)

type MessageType = FrameMessage['type']
export type MessageOf<Type extends MessageType> = Extract<FrameMessage, { type: Type }>

/** What a document sends through its port. */
export const DOCUMENT_MESSAGES = [
  'location',
  'navigate',
  'storage',
  'storage-clear',
  'viewport',
  'height',
  'submit',
  'renew',
  'selection',
  'spot',
  'candidate',
  'picked',
  'ready-for-marks',
  'marks-shown',
  'marks-placed',
  'mark-click',
] as const
export type DocumentMessage = MessageOf<(typeof DOCUMENT_MESSAGES)[number]>

/** What the shell sends through its port. */
export const SHELL_MESSAGES = [
  'storage-event',
  'marks',
  'reveal',
  'pick-at',
  'pick-step',
  'pick-end',
] as const
export type ShellMessage = MessageOf<(typeof SHELL_MESSAGES)[number]>

/** The limit of one area, in characters of keys and values, as browsers limit an origin. */
export const STORAGE_QUOTA_CHARS = 5 * 1024 * 1024
const MAX_PATH_CHARS = 8000
export const MAX_TITLE_CHARS = 500
const MAX_VIEWPORT_CHARS = 1000
/** More than the server accepts: it checks all of a submission again. */
const MAX_SUBMISSION_CHARS = 300_000
const MAX_CONTROLS = 1000
const MAX_CONTROL_CHARS = 1000
const MAX_ID_CHARS = 100

const item = text(STORAGE_QUOTA_CHARS)
const entries = list(entry)
const submitted = text(MAX_SUBMISSION_CHARS)
const submission = object<Submission>({
  stamp: submitted,
  id: submitted,
  data: submitted,
  name: optional(submitted),
  controls: list(
    object<FormControl>({
      name: text(MAX_CONTROL_CHARS),
      label: nullable(text(MAX_CONTROL_CHARS)),
      kind: oneOf(CONTROL_KINDS),
    }),
    MAX_CONTROLS,
  ),
  trap: optional(submitted),
})

const passage: Fields<Passage> = {
  quote: text(MAX_QUOTE_CHARS),
  prefix: text(2 * MAX_CONTEXT_CHARS),
  suffix: text(2 * MAX_CONTEXT_CHARS),
}
const box: Fields<Box> = { top: finite, left: finite, bottom: finite, right: finite }
const selected = object<SelectedPassage>({ ...passage, ...box })
const elementSpot: Fields<ElementSpot> = {
  x: ratio,
  y: ratio,
  element: object<ElementSpot['element']>({
    tag: tagName,
    text: text(MAX_ELEMENT_TEXT_CHARS),
    selector: text(MAX_SELECTOR_CHARS),
  }),
}
const id = text(MAX_ID_CHARS)

const SCHEMA: { [Type in MessageType]: Fields<Omit<MessageOf<Type>, 'type'>> } = {
  handover: {
    nonce: text(100),
    shell_origin: text(MAX_PATH_CHARS),
    paths: list(text(MAX_PATH_CHARS)),
    local: entries,
    session: entries,
    cookie: entries,
  },
  connect: { nonce: text(100) },
  location: {
    path: text(MAX_PATH_CHARS),
    title: text(MAX_TITLE_CHARS),
    stamp: optional(text(MAX_PATH_CHARS)),
  },
  navigate: { path: text(MAX_PATH_CHARS) },
  storage: { area: oneOf(AREAS), key: item, value: nullable(item) },
  'storage-clear': { area: oneOf(AREAS) },
  viewport: { content: text(MAX_VIEWPORT_CHARS) },
  height: { pixels: finite },
  submit: { submission },
  renew: {},
  'relay-renew': { files: text(MAX_PATH_CHARS) },
  files: { url: text(MAX_PATH_CHARS) },
  relay: { files: text(MAX_PATH_CHARS), submission },
  selection: { selection: nullable(selected) },
  spot: { spot: nullable(object<PickedSpot>({ ...elementSpot, ...box })) },
  candidate: {
    candidate: nullable(
      object<Candidate>({ tag: tagName, text: text(MAX_ELEMENT_TEXT_CHARS), ...box }),
    ),
  },
  picked: {
    picked: nullable(
      object<PickedElement>({ ...elementSpot, passage: nullable(object<Passage>(passage)) }),
    ),
  },
  'ready-for-marks': {},
  'marks-shown': { ids: list(id, MAX_MARKS) },
  'marks-placed': {
    spots: list(
      object<PlacedSpot>({ id, left: finite, top: finite, is_visible: oneOf([true, false]) }),
      MAX_SPOTS,
    ),
  },
  'mark-click': { id },
  marks: {
    marks: list(object<Mark>({ id, ...passage }), MAX_MARKS),
    spots: list(object<SpotMark>({ id, ...elementSpot }), MAX_SPOTS),
  },
  reveal: { id },
  'pick-at': { left: finite, top: finite, scroll_x: finite, scroll_y: finite },
  'pick-step': { step: oneOf(PICK_STEPS) },
  'pick-end': { is_taken: oneOf([true, false]) },
  'storage-event': { key: item, old_value: nullable(item), value: nullable(item) },
  answer: { status: finite, retry_after_s: nullable(finite), body: (value) => value },
}

/** A copy of the message if it is well-formed and of one of these types, else null: drop it. */
export function readMessage<Type extends MessageType>(
  value: unknown,
  ...types: Type[]
): MessageOf<Type> | null {
  const type = types.find((each) => each === (value as { type?: unknown } | null)?.type)
  if (type === undefined) return null
  const fields = attempt(object(SCHEMA[type]), value)
  return fields && ({ type, ...fields } as MessageOf<Type>)
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
type Fields<T> = { [Name in keyof Required<T>]: Reader<T[Name]> }

function attempt<T>(read: Reader<T>, value: unknown): T | null {
  try {
    return read(value)
  } catch {
    return null
  }
}

function object<T extends object>(fields: Fields<T>): Reader<T> {
  return (value) => {
    const given = (typeof value === 'object' && value ? value : malformed()) as T
    const copy: Partial<T> = {}
    for (const name of Object.keys(fields) as (keyof T)[]) {
      const field = fields[name](given[name])
      if (field !== undefined) copy[name] = field
    }
    return copy as T
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

function ratio(value: unknown): number {
  const number = finite(value)
  return number >= 0 && number <= 1 ? number : malformed()
}

function oneOf<T>(values: readonly T[]): Reader<T> {
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
