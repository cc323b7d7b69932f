import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'preact/compat'

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

/** Puts the keyboard into a field that takes the place of what was pressed: its `ref`. */
export function focusOnce(element: HTMLElement | null): void {
  element?.focus()
}
