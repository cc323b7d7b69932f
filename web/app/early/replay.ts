import type { Field } from './record.ts'

/** Replays the recorded actions. Called once, when React has taken the document over. */
export function replayEarlyActions(): void {
  const early = window.earlyActions
  if (early === undefined) return
  early.stop()
  for (const [field, value] of early.fields) if (field.isConnected) enter(field, value)
  for (const button of early.pressed) if (button.isConnected) button.click()
  if (early.key) document.body.dispatchEvent(new KeyboardEvent('keydown', early.key))
}

/** React overlooks a value that was entered before it hydrates, so this enters it again. */
function enter(field: Field, value: string | boolean): void {
  if (typeof value === 'boolean') {
    const box = field as HTMLInputElement
    box.checked = !value
    box.click()
  } else if (field instanceof HTMLSelectElement) {
    field.value = value
    field.dispatchEvent(new Event('change', { bubbles: true }))
  } else if (field.type === 'file') {
    field.dispatchEvent(new Event('change', { bubbles: true }))
  } else {
    type(field, value)
  }
}

/** Of an `input` event with the value that was set by its property, React would see no change. */
function type(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  field.value = ''
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')!
  set!.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
