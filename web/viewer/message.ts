import { fill, h } from '../elements.ts'
import { elementById } from './dom.ts'

export interface Message {
  title: string
  text: string
  /** A button for what to do next. */
  action?: { label: string; run(): void }
  /** A form that asks for a password. */
  password?: { label: string; submit(password: string): void }
}

/**
 * Shows a message in place of the file.
 * @returns a function that changes its text
 */
export function showMessage(message: Message): (text: string) => void {
  const panel = elementById('message', HTMLElement)
  const { title, password, action } = message
  const text = h('p', {}, message.text)
  fill(
    panel,
    h('h2', {}, title),
    text,
    password && passwordForm(password),
    action && h('button', { type: 'button', class: 'action', onclick: action.run }, action.label),
  )
  panel.hidden = false
  panel.querySelector<HTMLElement>('input, button')?.focus()
  return (newText) => {
    text.textContent = newText
  }
}

export function hideMessage(): void {
  elementById('message', HTMLElement).hidden = true
}

function passwordForm({ label, submit }: NonNullable<Message['password']>): HTMLFormElement {
  const field = h('input', { type: 'password', required: true, autocomplete: 'off' })
  const onsubmit = (event: Event) => {
    event.preventDefault()
    submit(field.value)
  }
  const open = h('button', { class: 'action' }, 'Open')
  return h('form', { onsubmit }, h('label', {}, label, field), open)
}
