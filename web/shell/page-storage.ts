import { parseJson } from '../../src/model/parse-json.ts'
import { stored } from '../stored.ts'
import {
  type Area,
  type Entries,
  type MessageOf,
  readEntries,
  STORAGE_QUOTA_CHARS,
} from './frame-message.ts'

const DATABASE = 'handbill-pages'
const STORE = 'texts'

type Change = MessageOf<'storage' | 'storage-clear'>
type ChangeElsewhere = MessageOf<'storage-event'>
type StoredAreas = Record<'local' | 'cookie', Entries>

/** In characters. Smaller texts are in `localStorage`, which can be read before the page loads. */
const MAX_LOCAL_STORAGE_CHARS = 200_000
/** The value in `localStorage` where the text itself is in IndexedDB. */
const IN_INDEXED_DB = 'in IndexedDB'
const SAVE_DELAY_MS = 50
/** Kept free for what people type into our own documents, which share the browser's storage. */
const RESERVE = 'x'.repeat(100_000)
/** What is smaller is written without a look at the reserve: other windows notice each look. */
const SMALL_CHARS = 10_000

/**
 * What a page has stored, in the shell's own storage under the page's key, so that no page reads
 * another's. Windows of one page share it: each writes its changes, never all that it knows.
 */
export function openPageStorage(pageKey: string) {
  const name = `handbill:page:${pageKey}`
  let unsaved: Change[] = []
  let saveTimer: ReturnType<typeof setTimeout> | undefined

  function save(): void {
    clearTimeout(saveTimer)
    saveTimer = undefined
    const changes = unsaved
    unsaved = []
    if (changes.length > 0) saveChanges(name, changes)
  }
  window.addEventListener('pagehide', save)

  return {
    read(): Record<Area, Entries> | Promise<Record<Area, Entries>> {
      const text = stored('localStorage', name).read()
      const session = sessionEntries(name)
      if (text !== IN_INDEXED_DB) return { ...parsed(text), session }
      return readLarge(name).then((large) => ({ ...parsed(large), session }))
    },
    apply(change: Change): void {
      unsaved.push(change)
      saveTimer ??= setTimeout(save, SAVE_DELAY_MS)
    },
    /** Reports what other windows of this page change in their `localStorage`. */
    onChangeElsewhere(report: (change: ChangeElsewhere) => void): void {
      window.addEventListener('storage', ({ key, oldValue, newValue }) => {
        if (key !== name || oldValue === IN_INDEXED_DB || newValue === IN_INDEXED_DB) return
        for (const change of changesBetween(oldValue, newValue)) report(change)
      })
    },
  }
}

function saveChanges(name: string, changes: Change[]): void {
  saveSession(name, changes)
  const local = stored('localStorage', name)
  const before = local.read()
  if (before === IN_INDEXED_DB) return void writeLarge(name, (text) => withChanges(text, changes))
  const after = withChanges(before, changes)
  if (after === before) return
  if (after.length <= MAX_LOCAL_STORAGE_CHARS && writeSparing('localStorage', name, after)) return
  if (local.write(IN_INDEXED_DB)) void writeLarge(name, () => after)
}

function* changesBetween(oldText: string | null, newText: string | null) {
  const before = new Map(parsed(oldText).local)
  const after = new Map(parsed(newText).local)
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [oldValue, value] = [before.get(key) ?? null, after.get(key) ?? null]
    if (oldValue === value) continue
    yield { type: 'storage-event', key, old_value: oldValue, value } satisfies ChangeElsewhere
  }
}

function withChanges(text: string | null, changes: Change[]): string {
  const { local, cookie } = parsed(text)
  return JSON.stringify({
    local: applied(local, 'local', changes),
    cookie: applied(cookie, 'cookie', changes),
  } satisfies StoredAreas)
}

/** Above the quota nothing changes: only a page that has removed its own check sends that much. */
function applied(entries: Entries, area: Area, changes: Change[]): Entries {
  const map = new Map(entries)
  for (const change of changes) {
    if (change.area !== area) continue
    if (change.type === 'storage-clear') map.clear()
    else if (change.value === null) map.delete(change.key)
    else map.set(change.key, change.value)
  }
  const after = [...map]
  const size = after.reduce((sum, [key, value]) => sum + key.length + value.length, 0)
  return size <= STORAGE_QUOTA_CHARS ? after : entries
}

function saveSession(name: string, changes: Change[]): void {
  if (!changes.some(({ area }) => area === 'session')) return
  const entries = applied(sessionEntries(name), 'session', changes)
  // Where it is full or blocked, the entries last as long as the framed document.
  writeSparing('sessionStorage', name, JSON.stringify(entries))
}

/** @returns whether the browser has taken it; not if that would use up the reserve */
function writeSparing(area: Parameters<typeof stored>[0], name: string, text: string): boolean {
  const own = stored(area, name)
  if (text.length < SMALL_CHARS) return own.write(text)
  const before = own.read()
  const reserve = stored(area, 'handbill:reserve')
  const isKept = own.write(text) && reserve.write(RESERVE)
  reserve.write(null)
  if (!isKept) own.write(before)
  return isKept
}

function sessionEntries(name: string): Entries {
  return readEntries(stored('sessionStorage', name).readJson()) ?? []
}

/** Whatever is malformed counts as empty. */
function parsed(text: string | null): StoredAreas {
  const { local, cookie } = Object(parseJson(text ?? ''))
  return { local: readEntries(local) ?? [], cookie: readEntries(cookie) ?? [] }
}

/** Reads from IndexedDB what a page has stored, where that is too large for `localStorage`. */
async function readLarge(name: string): Promise<string | null> {
  try {
    const store = (await openDatabase()).transaction(STORE).objectStore(STORE)
    return ((await result(store.get(name))) as string | undefined) ?? null
  } catch {
    return null
  }
}

/** Reads, changes and writes in one transaction, so that two windows overwrite nothing. */
async function writeLarge(name: string, change: (text: string | null) => string): Promise<void> {
  try {
    const database = await openDatabase()
    const store = database.transaction(STORE, 'readwrite').objectStore(STORE)
    const text = (await result(store.get(name))) as string | undefined
    await result(store.put(change(text ?? null), name))
  } catch (error) {
    console.warn('The browser could not save what this page stores.', error)
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE)
  return result(request)
}

function result<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
