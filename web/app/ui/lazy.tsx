import { type FunctionComponent, lazy as loadedLater } from 'preact/compat'
import { Failure } from './states.tsx'

/**
 * A component whose code is loaded when it is first shown. Where that fails, as when an upgrade of
 * the server has replaced it, its place says so.
 */
export function lazy<Props>(load: () => Promise<{ default: FunctionComponent<Props> }>) {
  return loadedLater<FunctionComponent<Props>>(() => load().catch(() => ({ default: NotLoaded })))
}

const NOT_LOADED = new Error('This part of the app cannot be loaded. Load the page again.')

function NotLoaded() {
  return (
    // A dialog is below the screen.
    <div ref={(element) => element?.scrollIntoView({ block: 'nearest' })}>
      <Failure error={NOT_LOADED} onRetry={() => location.reload()} />
    </div>
  )
}
