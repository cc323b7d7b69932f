import { parseJson } from '../../../src/model/parse-json.ts'
import { createFindFile } from '../find-file.ts'
import {
  type Area,
  type DocumentMessage,
  type Entries,
  type MessageOf,
  readMessage,
  SHELL_MESSAGES,
  type ShellMessage,
} from '../frame-message.ts'

export type Post = (message: DocumentMessage, transfer?: Transferable[]) => void

type Handover = MessageOf<'handover'>
type Areas = Record<Area, Entries>

export type Connection = NonNullable<ReturnType<typeof connectToShell>>

/** A longer name is written when the document unloads, not at every change. */
const SMALL_NAME_CHARS = 100_000

/**
 * Reads what the shell has handed over in the frame's name, and sends it the port for all messages.
 * @returns null where no shell has handed anything over
 */
export function connectToShell() {
  const name = replaceWindowName()
  const handover = name && readMessage(parseJson(name.read()), 'handover')
  if (name === null || handover === null) return null
  const { port1, port2 } = new MessageChannel()
  const connect: MessageOf<'connect'> = { type: 'connect', nonce: handover.nonce }
  window.parent.postMessage(connect, handover.shell_origin, [port2])
  return {
    /** What the page has stored. */
    entries: handover as Areas,
    findFile: createFindFile(handover.paths),
    post: ((message, transfer = []) => port1.postMessage(message, transfer)) as Post,
    /** Calls with every message of the shell. */
    onMessage(listener: (message: ShellMessage) => void): void {
      port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const message = readMessage(data, ...SHELL_MESSAGES)
        if (message !== null) listener(message)
      })
      port1.start()
    },
    /** Keeps the entries for the next document of this frame. */
    saveEntries: createNameWriter(handover, name.write),
  }
}

function createNameWriter(handover: Handover, write: (name: string) => void) {
  let isScheduled = false
  let isSmall = true
  let readEntries: () => Areas = () => handover
  const writeNow = () => {
    isScheduled = false
    const name = JSON.stringify({ ...handover, ...readEntries() } satisfies Handover)
    isSmall = name.length < SMALL_NAME_CHARS
    write(name)
  }
  window.addEventListener('pagehide', writeNow)
  return (read: () => Areas) => {
    readEntries = read
    if (isScheduled || !isSmall) return
    isScheduled = true
    queueMicrotask(writeNow)
  }
}

/** Gives the page a `name` of its own, empty as in a window, and returns the way to the native. */
function replaceWindowName() {
  const native = Object.getOwnPropertyDescriptor(window, 'name')
  if (native?.get === undefined || native.set === undefined) return null
  const { get, set } = native
  let pageName = ''
  Object.defineProperty(window, 'name', {
    configurable: true,
    enumerable: true,
    get: () => pageName,
    set: (value: unknown) => {
      pageName = String(value)
    },
  })
  return { read: () => String(get.call(window)), write: (name: string) => set.call(window, name) }
}
