import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'preact/compat'

/** The event of a document comes to its window, too. */
type Events = WindowEventMap & Pick<DocumentEventMap, 'visibilitychange'>

/** Hears events of the window while the component is shown. */
export function useWindowEvent<Name extends keyof Events>(
  name: Name,
  listener: (event: Events[Name]) => void,
): void {
  const latest = useEffectEvent(listener)
  useLayoutEffect(() => {
    const call = (event: Event) => latest(event as Events[Name])
    addEventListener(name, call)
    return () => removeEventListener(name, call)
  }, [name])
}

/** The value once it has stayed the same for a moment. */
export function useLater<T>(value: T, ms: number): T {
  const [later, setLater] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return later
}

/** How long one pauses in typing before it is searched. */
export const SEARCH_AFTER_MS = 200

/** The text of a search field: it searches after a pause, and follows a search from elsewhere. */
export function useSearchText(query: string, onSearch: (query: string) => void) {
  const [text, setText] = useState(query)
  const input = useLater(text.trim(), SEARCH_AFTER_MS)
  const lastQuery = useRef(query)
  const search = useEffectEvent(() => {
    if (input === lastQuery.current) return
    lastQuery.current = input
    onSearch(input)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each text
  useEffect(() => search(), [input])
  useEffect(() => {
    // Such as after going back.
    if (query === lastQuery.current) return
    lastQuery.current = query
    setText(query)
  }, [query])
  return [text, setText] as const
}

/**
 * A module that is loaded where it is wanted: undefined until then, and null where that failed.
 * @param load always the same function
 */
export function useModule<M>(load: () => Promise<M>, isWanted = true): M | null | undefined {
  const [module, setModule] = useState<M | null>()
  useEffect(() => {
    if (isWanted && !module) void load().then(setModule, () => setModule(null))
  }, [load, isWanted, module])
  return module
}

/** Scrolls to what has just come, such as an answer below its button: its `ref`. */
export function scrollInto(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}

/** Puts the keyboard into a field that takes the place of what was pressed: its `ref`. */
export function focusOnce(element: HTMLElement | null): void {
  element?.focus()
}
