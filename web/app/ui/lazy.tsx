import { type FunctionComponent, lazy as loadedLater } from 'preact/compat'
import { scrollInto } from '../hooks.ts'
import { Failure } from './states.tsx'

type Load<Props> = () => Promise<{ default: FunctionComponent<Props> }>

/**
 * A component whose code is loaded when it is first shown. Where that fails, as when an upgrade of
 * the server has replaced it, its place says so.
 */
export function lazy<Props>(load: Load<Props>, isScreen = false) {
  const failed = { default: () => <NotLoaded isScreen={isScreen} /> }
  return loadedLater<FunctionComponent<Props>>(() => load().catch(() => failed))
}

/** The same for a whole screen, which has a heading then, too. */
export const lazyScreen = <Props,>(load: Load<Props>) => lazy(load, true)

const NOT_LOADED = new Error('This part of the app cannot be loaded. Load the page again.')

function NotLoaded({ isScreen }: { isScreen: boolean }) {
  return (
    // A dialog is below the screen.
    <div ref={scrollInto}>
      <Failure error={NOT_LOADED} onRetry={() => location.reload()} isScreen={isScreen} />
    </div>
  )
}
