import { stored } from '../../../stored.ts'
import type { Draft } from './draft.ts'

/**
 * Keeps what was typed and not saved in this browser, so that a reload, a crash or an ended session
 * loses nothing. Each tab keeps its own: two that edit one page do not overwrite each other.
 */
const PREFIX = 'handbill:unsaved:'
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

export type UnsavedStore = ReturnType<typeof createUnsavedStore>

export function createUnsavedStore(pageId: string, tab = tabId()) {
  const ofPage = `${PREFIX}${pageId}:`
  const ownKey = ofPage + tab
  const drop = (key: string) => void stored('localStorage', key).write(null)

  /** What is not ours, old or of an earlier version is dropped. */
  function read(key: string): Unsaved | null {
    const unsaved = stored('localStorage', key).readJson() as Unsaved | null
    const isRecent = Date.now() - Date.parse(unsaved?.at ?? '') < KEPT_MS
    if (isRecent && Array.isArray(unsaved?.draft?.files)) return unsaved
    drop(key)
    return null
  }
  /** @returns false where the browser has no space for it */
  function keep(unsaved: Unsaved): boolean {
    const isKept = stored('localStorage', ownKey).write(JSON.stringify(unsaved))
    if (!isKept) drop(ownKey)
    return isKept
  }
  /** What other tabs have kept, the latest first. */
  function others() {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(ofPage) && key !== ownKey)
      .flatMap((key) => {
        const unsaved = read(key)
        return unsaved === null ? [] : [{ unsaved, drop: () => drop(key) }]
      })
      .toSorted((a, b) => (a.unsaved.at < b.unsaved.at ? 1 : -1))
  }
  return {
    keep,
    clear: () => drop(ownKey),
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
function tabId(): string {
  const mark = stored('sessionStorage', 'handbill:tab')
  const id = mark.read() ?? Math.random().toString(36).slice(2)
  mark.write(id)
  return id
}

/** The fingerprint of a draft, by which an unsaved text finds the draft that it belongs to. */
export function fingerprint(draft: Draft): string {
  const print = fingerprints.get(draft) ?? hashOf(draft)
  fingerprints.set(draft, print)
  return print
}

/** One draft is asked for three times a second while somebody types, and may have megabytes. */
const fingerprints = new WeakMap<Draft, string>()

function hashOf({ entry, files, assets }: Draft): string {
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
