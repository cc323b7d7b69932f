import type { EventKind, EventListener, RecordEvent } from './event.ts'

export interface Events {
  /** Passes the event to each listener of its kind, in the order in which they were added. */
  record: RecordEvent
  addListener(kinds: readonly EventKind[], listener: EventListener): void
}

/** The registry of listeners to events on pages. The composition root adds them. */
export function createEvents(): Events {
  const listeners = new Map<EventKind, EventListener[]>()

  return {
    async record(tx, event) {
      for (const listener of listeners.get(event.kind) ?? []) await listener(tx, event)
    },
    addListener(kinds, listener) {
      for (const kind of kinds) listeners.set(kind, [...(listeners.get(kind) ?? []), listener])
    },
  }
}
