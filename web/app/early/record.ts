/**
 * An inline script that records the user's actions before the dashboard's script is loaded:
 * typed text, checkboxes, buttons and keys. Links and scrolling work without it.
 */
const actions: EarlyActions = { fields: new Map(), pressed: [], key: null, stop }
window.earlyActions = actions

const listeners = { click, input, change: input, keydown } as const
for (const [name, listener] of Object.entries(listeners)) {
  addEventListener(name, listener as EventListener, true)
}

function stop(): void {
  for (const [name, listener] of Object.entries(listeners)) {
    removeEventListener(name, listener as EventListener, true)
  }
  delete window.earlyActions
}

function click(event: MouseEvent): void {
  const button = event.target instanceof Element ? event.target.closest('button') : null
  // The popover of the phone's bar needs no script; others are placed by theirs.
  if (button === null || (button.popoverTargetElement && button.closest('nav'))) return
  event.preventDefault()
  actions.pressed.push(button)
}

function input({ target }: Event): void {
  const field = target as Field
  const isBox = field.type === 'checkbox'
  actions.fields.set(field, isBox ? (field as HTMLInputElement).checked : field.value)
}

function keydown(event: KeyboardEvent): void {
  const { key, target } = event
  const hasModifier = event.ctrlKey || event.metaKey
  const isTyping = target instanceof Element && target.matches('input, textarea, select')
  if (hasModifier ? key !== 'k' : isTyping || event.altKey || !/^[/?c]$/.test(key)) return
  event.preventDefault()
  if (key === '/') document.querySelector<HTMLElement>('[type=search]')?.focus()
  else actions.key ??= event
}

export type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export interface EarlyActions {
  /** The fields that were changed, each with its text, or whether it is checked. */
  fields: Map<Field, string | boolean>
  pressed: HTMLButtonElement[]
  /** A key of the frame. What is typed after it is for what it opens. */
  key: KeyboardEvent | null
  stop(): void
}

declare global {
  interface Window {
    earlyActions?: EarlyActions
  }
}
