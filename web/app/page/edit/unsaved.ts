import type { Draft } from './draft.ts'

/**
 * Keeps what was typed and not saved in this browser, so that a reload, a crash or an ended session
 * loses nothing. Each tab keeps its own: two that edit one page do not overwrite each other.
 */
const PREFIX = 'handbill:unsaved:'
const TAB_KEY = 'handbill:tab'
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

export interface Unsaved {
  /** When it was typed, as a timestamp. */
  at: string
  /** The fingerprint of the draft that it was typed into. */
  base: string
  draft: Draft
  /** Whether its tab is gone: the next one goes on with it. */
  isLeft?: boolean
}

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

interface UnsavedSettings {
  storage: Storage
  tab: string
  now?(): number
}

export type UnsavedStore = ReturnType<typeof createUnsavedStore>

export function createUnsavedStore(
  pageId: string,
  { storage, tab, now = Date.now }: UnsavedSettings,
) {
  const ofPage = `${PREFIX}${pageId}:`
  const ownKey = ofPage + tab

  function read(key: string): Unsaved | null {
    try {
      const unsaved = JSON.parse(storage.getItem(key) ?? '') as Unsaved
      const isRecent = now() - Date.parse(unsaved.at) < KEPT_MS
      if (isRecent && Array.isArray(unsaved.draft.files)) return unsaved
    } catch {
      // Not ours, or written by an earlier version: it is dropped below.
    }
    storage.removeItem(key)
    return null
  }
  /** @returns false where the browser has no space for it */
  function keep(unsaved: Unsaved): boolean {
    try {
      storage.setItem(ownKey, JSON.stringify(unsaved))
      return true
    } catch {
      storage.removeItem(ownKey)
      return false
    }
  }
  /** What other tabs have kept, the latest first. */
  function others() {
    const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '')
    return keys
      .filter((key) => key.startsWith(ofPage) && key !== ownKey)
      .flatMap((key) => {
        const unsaved = read(key)
        return unsaved === null ? [] : [{ unsaved, drop: () => storage.removeItem(key) }]
      })
      .toSorted((a, b) => (a.unsaved.at < b.unsaved.at ? 1 : -1))
  }
  return {
    keep,
    clear: () => storage.removeItem(ownKey),
    /** What this tab has kept, or else what one that is gone has left. */
    own(): Unsaved | null {
      let own = read(ownKey)
      const orphan = own === null && others().find(({ unsaved }) => unsaved.isLeft)
      if (orphan) {
        own = orphan.unsaved
        orphan.drop()
      }
      if (own !== null) keep({ ...own, isLeft: false })
      return own
    },
    /** The latest unsaved text of other tabs, with a function that deletes it. */
    ofOthers: () => others()[0] ?? null,
  }
}

/** The id of this tab, which a reload keeps. */
export function tabId(): string {
  const id = sessionStorage.getItem(TAB_KEY) ?? Math.random().toString(36).slice(2)
  sessionStorage.setItem(TAB_KEY, id)
  return id
}

/** The fingerprint of a draft, by which an unsaved text finds the draft that it belongs to. */
export function fingerprint({ entry, files, assets }: Draft): string {
  const names = assets.map(({ path, source }) => [path, source])
  const text = JSON.stringify([entry, files.map(({ path, text }) => [path, text]), names])
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  return `${text.length}-${(a >>> 0).toString(36)}-${(b >>> 0).toString(36)}`
}
