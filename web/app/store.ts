import { useSyncExternalStore } from 'preact/compat'

export type Store<T> = ReturnType<typeof createStore<T>>

export function createStore<T>(initial: T) {
  const listeners = new Set<() => void>()
  let value = initial
  return {
    get: () => value,
    set(next: T): void {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.get)
}
