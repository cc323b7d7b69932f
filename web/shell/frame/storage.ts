import { type MessageOf, STORAGE_QUOTA_CHARS } from '../frame-message.ts'

/**
 * @param key null where all entries are removed
 * @param value null where the entry is removed
 */
export type ReportChange = (key: string | null, value: string | null) => void
type StorageName = 'localStorage' | 'sessionStorage'
type Entries = Map<string, string>

interface StorageState {
  entries: Entries
  /** In characters of keys and values. */
  size: number
  report: ReportChange
}
/** The state of each stand-in, under the proxy and under its target. */
const states = new WeakMap<object, StorageState>()

export function isBlocked(name: StorageName): boolean {
  try {
    return !window[name]
  } catch {
    return true
  }
}

/** Replaces the storage, where the sandbox blocks it, with one that behaves like the native. */
export function installStorage(name: StorageName, entries: Entries, report: ReportChange): void {
  const target = Object.create(Storage.prototype) as Storage
  const standIn = new Proxy(target, TRAPS)
  let size = 0
  for (const [key, value] of entries) size += key.length + value.length
  const state = { entries, size, report }
  states.set(target, state).set(standIn, state)
  patchPrototype()
  Object.defineProperty(window, name, { configurable: true, enumerable: true, value: standIn })
}

/** Takes over what another window of this page has stored, and fires the page's `storage` event. */
export function dispatchStorageEvent(
  name: StorageName,
  { key, old_value: oldValue, value }: MessageOf<'storage-event'>,
): void {
  const state = states.get(window[name])
  if (state === undefined) return
  const silent = { ...state, report: () => {} }
  if (value === null) remove(silent, key)
  else write(silent, key, value)
  state.size = silent.size
  const init = { key, oldValue, newValue: value, url: location.href }
  const event = new StorageEvent('storage', init)
  Object.defineProperty(event, 'storageArea', { value: window[name] })
  dispatchEvent(event)
}

function write(state: StorageState, key: string, value: string): void {
  const before = state.entries.get(key)
  if (before === value) return
  const size = state.size + value.length - (before === undefined ? -key.length : before.length)
  if (size > STORAGE_QUOTA_CHARS && size > state.size) throw quotaExceeded(key)
  state.size = size
  state.entries.set(key, value)
  state.report(key, value)
}

function remove(state: StorageState, key: string): void {
  const before = state.entries.get(key)
  if (before === undefined) return
  state.size -= key.length + before.length
  state.entries.delete(key)
  state.report(key, null)
}

function quotaExceeded(key: string): DOMException {
  const message = `Failed to execute 'setItem' on 'Storage': '${key}' exceeds the quota.`
  return new DOMException(message, 'QuotaExceededError')
}

/** Patched on the prototype, where scripts look that wrap or borrow `setItem` and the others. */
function patchPrototype(): void {
  if (Object.hasOwn(Storage.prototype, MARK)) return
  Object.defineProperty(Storage.prototype, MARK, { value: true })
  patch('getItem', (state, key) => state.entries.get(String(key)) ?? null)
  patch('setItem', (state, key, value) => write(state, String(key), String(value)))
  patch('removeItem', (state, key) => remove(state, String(key)))
  patch('key', (state, index) => [...state.entries.keys()][Number(index) >>> 0] ?? null)
  patch('clear', (state) => {
    if (state.entries.size === 0) return
    state.entries.clear()
    state.size = 0
    state.report(null, null)
  })
  const native = Object.getOwnPropertyDescriptor(Storage.prototype, 'length')!
  Object.defineProperty(Storage.prototype, 'length', {
    ...native,
    get(this: Storage) {
      return states.get(this)?.entries.size ?? native.get!.call(this)
    },
  })
}
const MARK = Symbol('handbill')

type Method = 'getItem' | 'setItem' | 'removeItem' | 'key' | 'clear'

function patch(name: Method, run: (state: StorageState, ...args: unknown[]) => unknown): void {
  const native = Storage.prototype[name] as (...args: unknown[]) => unknown
  Storage.prototype[name] = function (this: Storage, ...args: unknown[]) {
    const state = states.get(this)
    return state === undefined ? native.apply(this, args) : run(state, ...args)
  } as never
}

/** For `localStorage.theme`, `'theme' in localStorage`, `Object.keys(localStorage)`, `delete`. */
const TRAPS: ProxyHandler<Storage> = {
  get(target, key, receiver) {
    if (typeof key === 'symbol' || key in target) return Reflect.get(target, key, receiver)
    return entryOf(target, key)
  },
  set(target, key, value) {
    if (typeof key === 'symbol') return Reflect.set(target, key, value)
    write(states.get(target)!, key, String(value))
    return true
  },
  has: (target, key) => key in target || entryOf(target, key) !== undefined,
  deleteProperty(target, key) {
    if (typeof key === 'string') remove(states.get(target)!, key)
    return true
  },
  ownKeys: (target) => [...states.get(target)!.entries.keys()],
  getOwnPropertyDescriptor(target, key) {
    const value = entryOf(target, key)
    if (value === undefined) return undefined
    return { value, writable: true, enumerable: true, configurable: true }
  },
  defineProperty(target, key, { value }) {
    if (typeof key === 'string') write(states.get(target)!, key, String(value))
    return true
  },
}

function entryOf(target: Storage, key: string | symbol): string | undefined {
  return typeof key === 'string' ? states.get(target)!.entries.get(key) : undefined
}
