import { QUOTA, type Stored } from '../handle-message.ts'

type Tell = (key: string | null, value: string | null) => void
type StorageName = 'localStorage' | 'sessionStorage'

interface Held {
  entries: Map<string, string>
  size: number
  tell: Tell
}
const held = new WeakMap<object, Held>()

export function isBlocked(name: StorageName): boolean {
  try {
    return !window[name]
  } catch {
    return true
  }
}

/** Puts a stand-in that behaves like the browser's own in its place. */
export function installStorage(name: StorageName, entries: Map<string, string>, tell: Tell): void {
  const target = Object.create(Storage.prototype) as Storage
  const standIn = new Proxy(target, TRAPS)
  let size = 0
  for (const [key, value] of entries) size += key.length + value.length
  const area = { entries, size, tell }
  held.set(target, area).set(standIn, area)
  patchPrototype()
  Object.defineProperty(window, name, { configurable: true, enumerable: true, value: standIn })
}

/** Another window of this page stored something: it is there, and the page is told. */
export function sendStored(name: StorageName, { key, old_value: oldValue, value }: Stored): void {
  const area = held.get(window[name])
  if (area === undefined) return
  const silent = { ...area, tell: () => {} }
  if (value === null) remove(silent, key)
  else write(silent, key, value)
  area.size = silent.size
  const about = { key, oldValue, newValue: value, url: location.href }
  const event = new StorageEvent('storage', about)
  Object.defineProperty(event, 'storageArea', { value: window[name] })
  dispatchEvent(event)
}

function write(area: Held, key: string, value: string): void {
  const before = area.entries.get(key)
  if (before === value) return
  const size = area.size + value.length - (before === undefined ? -key.length : before.length)
  if (size > QUOTA && size > area.size) throw quotaExceeded(key)
  area.size = size
  area.entries.set(key, value)
  area.tell(key, value)
}

function remove(area: Held, key: string): void {
  const before = area.entries.get(key)
  if (before === undefined) return
  area.size -= key.length + before.length
  area.entries.delete(key)
  area.tell(key, null)
}

function quotaExceeded(key: string): DOMException {
  const message = `Failed to execute 'setItem' on 'Storage': '${key}' exceeds the quota.`
  return new DOMException(message, 'QuotaExceededError')
}

/** Scripts that wrap or borrow `Storage.prototype.setItem` find it where they look for it. */
function patchPrototype(): void {
  if (Object.hasOwn(Storage.prototype, MARK)) return
  Object.defineProperty(Storage.prototype, MARK, { value: true })
  patch('getItem', (area, key) => area.entries.get(String(key)) ?? null)
  patch('setItem', (area, key, value) => write(area, String(key), String(value)))
  patch('removeItem', (area, key) => remove(area, String(key)))
  patch('key', (area, index) => [...area.entries.keys()][Number(index) >>> 0] ?? null)
  patch('clear', (area) => {
    if (area.entries.size === 0) return
    area.entries.clear()
    area.size = 0
    area.tell(null, null)
  })
  const native = Object.getOwnPropertyDescriptor(Storage.prototype, 'length')!
  Object.defineProperty(Storage.prototype, 'length', {
    ...native,
    get(this: Storage) {
      return held.get(this)?.entries.size ?? native.get!.call(this)
    },
  })
}
const MARK = Symbol('handbill')

type Method = 'getItem' | 'setItem' | 'removeItem' | 'key' | 'clear'

function patch(name: Method, run: (area: Held, ...given: unknown[]) => unknown): void {
  const native = Storage.prototype[name] as (...given: unknown[]) => unknown
  const { length } = native
  const method = function (this: Storage, ...given: unknown[]): unknown {
    const area = held.get(this)
    if (area === undefined) return native.apply(this, given)
    if (given.length >= length) return run(area, ...given)
    const [needs, has] = [`${length} argument${length > 1 ? 's' : ''}`, given.length]
    throw new TypeError(`Failed to execute '${name}' on 'Storage': ${needs} required, ${has} given`)
  }
  Object.defineProperty(method, 'name', { value: name })
  Object.defineProperty(method, 'length', { value: length })
  Object.defineProperty(Storage.prototype, name, {
    configurable: true,
    enumerable: true,
    writable: true,
    value: method,
  })
}

/** `localStorage.theme`, `'theme' in localStorage`, `Object.keys(localStorage)`, `delete`. */
const TRAPS: ProxyHandler<Storage> = {
  get(target, key, itself) {
    if (typeof key === 'symbol' || key in target) return Reflect.get(target, key, itself)
    return entryOf(target, key)
  },
  set(target, key, value) {
    if (typeof key === 'symbol') return Reflect.set(target, key, value)
    write(held.get(target)!, key, String(value))
    return true
  },
  has: (target, key) => key in target || entryOf(target, key) !== undefined,
  deleteProperty(target, key) {
    if (typeof key === 'string') remove(held.get(target)!, key)
    return true
  },
  ownKeys: (target) => [...held.get(target)!.entries.keys()],
  getOwnPropertyDescriptor(target, key) {
    const value = entryOf(target, key)
    if (value === undefined) return undefined
    return { value, writable: true, enumerable: true, configurable: true }
  },
  defineProperty(target, key, { value }) {
    if (typeof key === 'string') write(held.get(target)!, key, String(value))
    return true
  },
}

function entryOf(target: Storage, key: string | symbol): string | undefined {
  return typeof key === 'string' ? held.get(target)!.entries.get(key) : undefined
}
