const DATABASE = 'handbill-pages'
const STORE = 'texts'

/** Reads from IndexedDB what a page has stored, where that is too large for `localStorage`. */
export async function readLarge(name: string): Promise<string | null> {
  try {
    const store = (await openDatabase()).transaction(STORE).objectStore(STORE)
    return ((await result(store.get(name))) as string | undefined) ?? null
  } catch {
    return null
  }
}

/** Reads, changes and writes in one transaction, so that two windows overwrite nothing. */
export async function writeLarge(
  name: string,
  change: (text: string | null) => string,
): Promise<void> {
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
