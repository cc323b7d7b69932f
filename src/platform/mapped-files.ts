import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { acquireLock } from './data-folder.ts'

type Lock = NonNullable<ReturnType<typeof acquireLock>>

export interface Slot {
  key: string
  /** A number from 0 that distinguishes counts of one key. */
  group: number
  /** From 1. */
  batch: number
  count: number
}

export interface AbandonedFile {
  readonly id: string
  /** Slots that hold something. @throws Error where it is no file of slots, or a part of one */
  read(): Slot[]
  remove(): void
  /** Leaves the file to the next process. */
  release(): void
}

const SLOT_BYTES = 64
const SLOT_WORDS = SLOT_BYTES / 8
/** The words of a slot: batch, group, count, then the key. */
const [BATCH, GROUP, COUNT, KEY] = [0, 1, 2, 3]
const KEY_BYTES = SLOT_BYTES - KEY * 8
/** With the number of slots after it. */
const HEADER = 'handbill slots 1: '
const DEFAULT_SLOTS = 32_767
const EXTENSION = '.slots'
const FILE_NAME = /^([0-9a-f]{24})\.(?:slots|lock)$/

/**
 * Files of counts that survive a killed process. They are mapped into memory and shared with the
 * operating system, so that adding to a count writes to memory and to the file at once.
 *
 * One process writes to a file. It holds a lock, by which others know that it lives. Slot 0 is the
 * header; every other slot is a count, with what it counts and the number of its batch. A
 * transaction that stores counts elsewhere also stores the number of the last batch: a slot with a
 * later batch has not been stored, and any other slot is free, whatever it contains.
 *
 * @param folder made with the first file
 */
export function createSlotFiles(folder: string, slots = DEFAULT_SLOTS) {
  const size = (slots + 1) * SLOT_BYTES
  return {
    /** Makes a file for this process. @throws Error where the disk is full or maps no files */
    create: () => createFile(folder, size),
    /** Adopts the files of ended processes. */
    takeAbandoned: () => {
      const ids = namesIn(folder).flatMap((name) => FILE_NAME.exec(name)?.[1] ?? [])
      return [...new Set(ids)].flatMap((id) => takeOver(folder, id) ?? [])
    },
  }
}
export type SlotFiles = ReturnType<typeof createSlotFiles>

function createFile(folder: string, size: number) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { id, lock } = lockNew(folder)
  const path = join(folder, id + EXTENSION)
  const remove = () => removeFile(folder, id, lock)
  let words: Float64Array
  let bytes: Uint8Array
  try {
    writeEmpty(path, size)
    bytes = Bun.mmap(path, { shared: true })
    words = new Float64Array(bytes.buffer, bytes.byteOffset, size / 8)
  } catch (err) {
    remove()
    throw err
  }
  const slots = size / SLOT_BYTES - 1
  const free: number[] = []
  let slotsInUse = 0
  return {
    /** Never used for another file. */
    id,
    /** Opens a slot with a count of 0. @returns null where none is free or the key is too long */
    open({ key, group, batch }: Omit<Slot, 'count'>) {
      if (key.length > KEY_BYTES) return null
      if (free.length === 0 && slotsInUse === slots) return null
      const slot = free.pop() ?? ++slotsInUse
      const word = slot * SLOT_WORDS
      words.fill(0, word + COUNT, word + SLOT_WORDS)
      new TextEncoder().encodeInto(key, bytes.subarray(slot * SLOT_BYTES + KEY * 8))
      words[word + GROUP] = group
      // Last: until then the slot is one of a batch that was stored.
      words[word + BATCH] = batch
      return slot
    },
    add(slot: number) {
      words[slot * SLOT_WORDS + COUNT]! += 1
    },
    /** Lets slots be used again, once their counts are stored. */
    free: (slots: Iterable<number>) => void free.push(...slots),
    /** Deletes the file, once all of its counts are stored. */
    remove,
    /** Leaves the file and its counts to the next process. */
    release: lock.release,
  }
}
export type SlotFile = ReturnType<typeof createFile>

/** Another process may take the lock of a file that it finds before this one has it. */
function lockNew(folder: string) {
  for (;;) {
    const id = randomBytes(12).toString('hex')
    const lock = acquireLock(lockPath(folder, id))
    if (lock !== null) return { id, lock }
  }
}

/**
 * Writes every byte, the header last. In a file with holes, the first write to one on a full disk
 * would end the process: the operating system has no other way to refuse a write to memory.
 */
function writeEmpty(path: string, size: number): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    const zeros = new Uint8Array(size)
    for (let at = 0; at < size; ) at += writeSync(file, zeros, at, size - at, at)
    writeSync(file, headerOf(size), 0)
  } finally {
    closeSync(file)
  }
}

/** @returns null where its process lives */
function takeOver(folder: string, id: string): AbandonedFile | null {
  const lock = acquireLock(lockPath(folder, id))
  if (lock === null) return null
  const path = join(folder, id + EXTENSION)
  return {
    id,
    read: () => readSlots(path),
    remove: () => removeFile(folder, id, lock),
    release: lock.release,
  }
}

/** The lock last: another process that takes it finds no file any more. */
function removeFile(folder: string, id: string, lock: Lock): void {
  rmSync(join(folder, id + EXTENSION), { force: true })
  lock.release()
  rmSync(lockPath(folder, id), { force: true })
}

function readSlots(path: string): Slot[] {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  // Its process ended while it made the file.
  if (size === 0) return []
  const bytes = readFileSync(path)
  const header = bytes.toString('latin1', 0, SLOT_BYTES).replace(/\0+$/, '')
  if (header === '') return []
  if (!header.startsWith(HEADER)) throw new Error(`${path} is not a file of counts`)
  if (header !== headerOf(size)) throw new Error(`${path} is incomplete`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const slots: Slot[] = []
  for (let at = SLOT_BYTES; at < size; at += SLOT_BYTES) {
    const [batch, group, count] = [BATCH, GROUP, COUNT].map((word) =>
      view.getFloat64(at + word * 8, true),
    ) as [number, number, number]
    const key = bytes.toString('latin1', at + KEY * 8, at + SLOT_BYTES).replace(/\0+$/, '')
    if (![batch, group, count].every((word) => Number.isSafeInteger(word) && word >= 0)) {
      throw new Error(`${path} is damaged at byte ${at}`)
    }
    if (batch > 0 && count > 0) slots.push({ key, group, batch, count })
  }
  return slots
}

function headerOf(size: number): string {
  return HEADER + (size / SLOT_BYTES - 1)
}

function lockPath(folder: string, id: string): string {
  return join(folder, `${id}.lock`)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw err
  }
}

/**
 * Whether commands have written to a database beside its server. Each write leaves another number
 * in a file that every process maps into memory, so the server reads it before each answer from
 * memory: SQLite itself tells no process what another one wrote.
 */
export function openCommandWrites(path: string) {
  const file = openSync(path, 'a', 0o600)
  try {
    // Written, since a hole in the file would need space on the disk later.
    if (fstatSync(file).size < 8) writeSync(file, new Uint8Array(8))
  } finally {
    closeSync(file)
  }
  const bytes = Bun.mmap(path, { shared: true })
  const words = new Float64Array(bytes.buffer, bytes.byteOffset, 1)
  return {
    /** The number that the last write left. */
    last: () => words[0]!,
    // At random: two commands that add one at the same time could leave one number twice.
    mark() {
      words[0] = Math.random()
    },
  }
}
export type CommandWrites = ReturnType<typeof openCommandWrites>

/** Calls listeners once a command has written: what they have in memory may be out of date. */
export function watchCommands(writes: CommandWrites | undefined) {
  const listeners: (() => void)[] = []
  let current = writes?.last()
  return {
    add: (listener: () => void) => void listeners.push(listener),
    /** @returns false where one has written since the last call */
    isCurrent(): boolean {
      const last = writes?.last()
      if (last === current) return true
      current = last
      for (const listener of listeners) listener()
      return false
    },
  }
}
