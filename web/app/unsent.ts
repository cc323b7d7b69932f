import { useEffectEvent, useLayoutEffect } from 'preact/compat'
import type { AroundNavHandler } from 'wouter-preact'

/** Something that was typed, or is being sent, and that the server does not have. */
interface Unsent {
  /** Whether it is lost where the document goes: the browser asks before that. */
  isLostOnUnload(): boolean
  /** Whether it is lost where another view is shown; left out if it is kept beyond its view. */
  isLostOnNavigation?(): boolean
  /** Asks before another view is shown. @param leave shows it */
  ask?(leave: () => void): void
}

const all = new Set<() => Unsent>()
/** Of the view that is shown: at `popstate`, the browser has the address of the next one. */
let address = ''

/** Asks before it is lost, until the returned function is called. */
export function guardUnsent(unsent: () => Unsent): () => void {
  // Only while it is needed: with a listener, some browsers do not keep a document for Back.
  if (all.size === 0) addEventListener('beforeunload', warn)
  all.add(unsent)
  return () => {
    all.delete(unsent)
    if (all.size === 0) removeEventListener('beforeunload', warn)
  }
}

/** Asks before it is lost, while the component is shown. */
export function useUnsentGuard(unsent: Unsent): void {
  const latest = useEffectEvent(() => unsent)
  useLayoutEffect(() => guardUnsent(latest), [])
}

/**
 * Asks at Back and Forward. It is called before the router listens: the listeners of a window run
 * in the order in which they were added, capturing or not, and between two of them the
 * view can go.
 */
export function guardHistory(): void {
  rememberAddress()
  addEventListener('popstate', onPopState)
  // The router sends these.
  addEventListener('pushState', rememberAddress)
  addEventListener('replaceState', rememberAddress)
}

/** Asks before the router shows another view: for a link, a key or a command. */
export const guardNavigation: AroundNavHandler = (navigate, to, options) => {
  const unsent = lostOnNavigation()
  if (unsent === undefined) navigate(to, options)
  else unsent.ask?.(() => navigate(to, options))
}

/** The browser has gone already: its address is that of the view again, until one agrees to go. */
function onPopState(event: Event): void {
  const unsent = currentAddress() === address ? undefined : lostOnNavigation()
  if (unsent === undefined) {
    rememberAddress()
    return
  }
  event.stopImmediatePropagation()
  history.pushState(null, '', address)
  // Whichever way it went, that entry is now the one before.
  unsent.ask?.(() => history.back())
}

function lostOnNavigation(): Unsent | undefined {
  return [...all].map((unsent) => unsent()).find((unsent) => unsent.isLostOnNavigation?.())
}

function warn(event: Event): void {
  if ([...all].some((unsent) => unsent().isLostOnUnload())) event.preventDefault()
}

function rememberAddress(): void {
  address = currentAddress()
}

/** Without the part behind `#`, which leads to a place in the same view. */
function currentAddress(): string {
  return location.pathname + location.search
}
