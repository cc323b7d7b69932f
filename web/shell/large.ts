const DATABASE = 'handbill-pages'
const STORE = 'texts'

/** What pages have stored, where it is more than the quick storage should hold. */
export async function readLarge(name: string): Promise<string | null> {
  try {
    const store = (await openDatabase()).transaction(STORE).objectStore(STORE)
    return ((await result(store.get(name))) as string | undefined) ?? null
  } catch {
    return null
  }
}

/** One transaction from what was to what is, so that two windows lose nothing of each other's. */
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
    console.warn('What this page stores could not be kept.', error)
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(DATABASE, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
  return result(opening)
}

function result<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
