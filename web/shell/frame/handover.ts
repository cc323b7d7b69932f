import type { Area, Entries, FrameMessage, Handed, Hello, Stored } from '../handle-message.ts'

/** Beyond this the name is written when the page goes, not at every change. */
const SMALL = 100_000
const NOTHING: Record<Area, Entries> = { local: [], session: [], cookie: [] }

/**
 * Takes what the shell handed in, and gives it the port for what goes out.
 * @param isPage not a frame inside the page: those share nothing
 */
export function meetShell(isPage: boolean) {
  const name = isPage ? takeName() : null
  const handed = name && readHanded(name.read())
  if (name === null || handed === null) {
    const nobody = { say: () => {}, hear: () => {}, keepName: () => {} }
    return { entries: NOTHING, isHanded: false, ...nobody }
  }
  const { handbill, shell } = handed
  const { port1, port2 } = new MessageChannel()
  window.parent.postMessage({ handbill } satisfies Hello, shell, [port2])
  return {
    entries: handed as Record<Area, Entries>,
    isHanded: true,
    say: (said: FrameMessage, passed: Transferable[] = []) => port1.postMessage(said, passed),
    hear(listen: (stored: Stored) => void) {
      port1.onmessage = ({ data }: MessageEvent<Stored>) => listen(data)
    },
    keepName: nameKeeper(handed, name.write),
  }
}

/** The next document of this frame reads what this one leaves. */
function nameKeeper(handed: Handed, write: (name: string) => void) {
  let isWaiting = false
  let isSmall = true
  let latest: () => Record<Area, Entries> = () => NOTHING
  const keep = () => {
    isWaiting = false
    const name = JSON.stringify({ ...handed, ...latest() })
    isSmall = name.length < SMALL
    write(name)
  }
  window.addEventListener('pagehide', keep)
  return (entries: () => Record<Area, Entries>) => {
    latest = entries
    if (isWaiting || !isSmall) return
    isWaiting = true
    queueMicrotask(keep)
  }
}

/** The page finds a name of its own, empty as in a window. */
function takeName() {
  const native = Object.getOwnPropertyDescriptor(window, 'name')
  if (native?.get === undefined || native.set === undefined) return null
  const { get, set } = native
  let own = ''
  Object.defineProperty(window, 'name', {
    configurable: true,
    enumerable: true,
    get: () => own,
    set: (value: unknown) => {
      own = String(value)
    },
  })
  return {
    read: () => String(get.call(window)),
    write: (name: string) => set.call(window, name),
  }
}

function readHanded(name: string): Handed | null {
  if (!name.startsWith('{"handbill":')) return null
  try {
    return JSON.parse(name) as Handed
  } catch {
    return null
  }
}
