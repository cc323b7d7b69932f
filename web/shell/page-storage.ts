import { type Area, type Entries, type FrameMessage, QUOTA, type Stored } from './handle-message.ts'
import { readLarge, writeLarge } from './large.ts'

type Change = Extract<FrameMessage, { area: Area }>
type Kept = Record<'local' | 'cookie', Entries>

/** In characters. What is smaller is read at once, before the page is asked for. */
const SMALL = 200_000
const ELSEWHERE = 'in IndexedDB'
const SAVE_MS = 50

/**
 * What a page has stored, in our own storage under the page's key: no other page is ever handed
 * it. Windows of one page share it: each writes its changes, never all it knows.
 */
export function openStore(pageKey: string) {
  const name = `handbill:page:${pageKey}`
  let changes: Change[] = []
  let saving: ReturnType<typeof setTimeout> | undefined

  function save(): void {
    clearTimeout(saving)
    saving = undefined
    const made = changes
    changes = []
    if (made.length === 0) return
    writeSession(name, made)
    const now = localText(name)
    if (now === ELSEWHERE) return void writeLarge(name, (text) => changed(text, made))
    const text = changed(now, made)
    if (text === now || (text.length <= SMALL && setLocal(name, text))) return
    if (setLocal(name, ELSEWHERE)) void writeLarge(name, () => text)
  }
  window.addEventListener('pagehide', save)

  return {
    read(): Record<Area, Entries> | Promise<Record<Area, Entries>> {
      const text = localText(name)
      const session = sessionEntries(name)
      if (text !== ELSEWHERE) return { ...parsed(text), session }
      return readLarge(name).then((large) => ({ ...parsed(large), session }))
    },
    told(change: Change): void {
      changes.push(change)
      saving ??= setTimeout(save, SAVE_MS)
    },
    /** Tells of what other windows of this page store. */
    watch(tell: (stored: Stored) => void): void {
      window.addEventListener('storage', ({ key, oldValue, newValue }) => {
        if (key !== name || oldValue === ELSEWHERE || newValue === ELSEWHERE) return
        const before = new Map(parsed(oldValue).local)
        const after = new Map(parsed(newValue).local)
        for (const key of new Set([...before.keys(), ...after.keys()])) {
          const [oldValue, value] = [before.get(key) ?? null, after.get(key) ?? null]
          if (oldValue !== value) tell({ key, old_value: oldValue, value })
        }
      })
    },
  }
}

function changed(text: string | null, changes: Change[]): string {
  const kept = parsed(text)
  return JSON.stringify({
    local: applied(kept.local, 'local', changes),
    cookie: applied(kept.cookie, 'cookie', changes),
  })
}

/** What would be too much is left as it was: only a page that went round its own limit asks it. */
function applied(entries: Entries, area: Area, changes: Change[]): Entries {
  const map = new Map(entries)
  for (const change of changes) {
    if (change.area !== area) continue
    if (change.key === null) map.clear()
    else if (change.value === null) map.delete(change.key)
    else map.set(change.key, change.value)
  }
  const after = [...map]
  const size = after.reduce((sum, [key, value]) => sum + key.length + value.length, 0)
  return size <= QUOTA ? after : entries
}

function writeSession(name: string, changes: Change[]): void {
  if (!changes.some(({ area }) => area === 'session')) return
  try {
    const text = JSON.stringify(applied(sessionEntries(name), 'session', changes))
    sessionStorage.setItem(name, text)
  } catch {
    // Full or shut off: then it lasts as long as this document.
  }
}

function sessionEntries(name: string): Entries {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? '[]') as Entries
  } catch {
    return []
  }
}

function parsed(text: string | null): Kept {
  try {
    if (text !== null) return JSON.parse(text) as Kept
  } catch {
    // Cut short once: begun anew.
  }
  return { local: [], cookie: [] }
}

function localText(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

function setLocal(name: string, text: string): boolean {
  try {
    localStorage.setItem(name, text)
    return true
  } catch {
    return false
  }
}
