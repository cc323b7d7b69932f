import { type ComponentChildren, render as renderInto } from 'preact'
import { PanelError } from './calls.ts'
import type { Mount, TabContext } from './tab.ts'

interface Versioned<State> {
  version: string
  /** Null if it is the version that the tab has. */
  state: State | null
}

interface StateTabOptions<State> {
  /** Of the operation that reads the state. */
  path: `/~/${string}`
  className: string
  /** The error where the owner has switched it off, and what the tab says then. */
  off: { code: string; text: string }
  /** Beside the button. */
  countOf(state: State): number | null
  render(state: State): ComponentChildren
}

/** A tab that shows one state of the server, which is read whole wherever it has changed. */
export function createStateTab<State>(
  context: TabContext,
  { path, className, off, countOf, render }: StateTabOptions<State>,
) {
  let cached: Versioned<State> | null = null
  let isOff = false
  let writes = 0
  let root: HTMLElement | null = null

  function show(): void {
    const state = cached?.state ?? null
    context.setCount(isOff || state === null ? null : countOf(state))
    if (root === null) return
    // What is being typed stays on the screen: sending it says that this is switched off.
    const isTyping = root.querySelector('textarea')?.value
    renderInto(
      <div className={`${className} stack inset`}>
        {isOff && !isTyping ? (
          <p className="hint">{off.text}</p>
        ) : state === null ? (
          <div className="shape" />
        ) : (
          render(state)
        )}
      </div>,
      root,
    )
  }

  /** @returns whether anything has changed */
  function accept(answer: Versioned<State>): boolean {
    if (answer.state === null && !isOff) return false
    isOff = false
    if (answer.state !== null) cached = answer
    show()
    return true
  }

  async function read(): Promise<boolean> {
    const writesBefore = writes
    try {
      const input = { known: cached?.version ?? null }
      const answer = await context.call<Versioned<State>>(path, input)
      // An answer from before a write would take it back for a moment.
      return writes !== writesBefore || accept(answer)
    } catch (err) {
      if (!(err instanceof PanelError) || err.code !== off.code) throw err
      isOff = true
      show()
      return false
    }
  }

  const poller = context.poll(read)
  const mount: Mount = (container) => {
    root = container
    show()
  }
  context.viewer.onChange(poller.now)
  return {
    mount,
    /** Calls an operation that answers the state as it is then. @throws PanelError */
    async write(to: `/~/${string}`, input: object): Promise<void> {
      writes += 1
      try {
        accept(await context.call<Versioned<State>>(to, input))
      } catch (err) {
        poller.now()
        throw err
      } finally {
        writes += 1
      }
    },
  }
}
