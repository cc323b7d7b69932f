import type { Field } from './record.ts'

/** Replays the recorded actions. Called once, when the script has taken the document over. */
export function replayEarlyActions(): void {
  const early = window.earlyActions
  if (early === undefined) return
  early.stop()
  for (const [field, value] of early.fields) if (field.isConnected) enter(field, value)
  for (const button of early.pressed) if (button.isConnected) button.click()
  if (early.key) document.body.dispatchEvent(new KeyboardEvent('keydown', early.key))
}

/** What was entered before the script listens has told nobody, so it is told once more. */
function enter(field: Field, value: string | boolean): void {
  if (typeof value === 'boolean') {
    const box = field as HTMLInputElement
    box.checked = !value
    box.click()
    return
  }
  if (field.type !== 'file') field.value = value
  // Text fields listen to the first, other fields to the second.
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
}
